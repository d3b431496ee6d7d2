package io.chimera.queue.parser;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Arbitrary bytes cause no exception and are consumed completely. */
final class KairosJsonParserFuzz {
    @FuzzTest(maxDuration = "1m")
    void takesAnyBytes(byte[] text) {
        RecordingSink.of(new KairosJsonParser(), text, 1_000_000);
    }
}
