package io.chimera.queue.parser;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** Any bytes: no exception, and all of them consumed. */
final class KairosTelnetParserFuzz {
    @FuzzTest(maxDuration = "1m")
    void takesAnyBytes(byte[] text) {
        RecordingSink.of(new KairosTelnetParser(), text, 1);
    }
}
