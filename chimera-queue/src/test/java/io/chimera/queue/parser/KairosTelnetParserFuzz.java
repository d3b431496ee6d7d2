package io.chimera.queue.parser;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Arbitrary bytes cause no exception and are consumed completely. */
final class KairosTelnetParserFuzz {
    @FuzzTest(maxDuration = "1m")
    void takesAnyBytes(byte[] text) {
        RecordingSink.of(new KairosTelnetParser(), text, 1);
    }
}
