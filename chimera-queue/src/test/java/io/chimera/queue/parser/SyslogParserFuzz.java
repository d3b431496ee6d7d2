package io.chimera.queue.parser;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.common.config.SyslogConfig;
import java.util.Random;

/** Arbitrary bytes in arbitrary pieces cause no exception, and yield the same points as one piece. */
final class SyslogParserFuzz {
    private static final SyslogConfig CONFIG = new SyslogConfig("Europe/Berlin");

    @FuzzTest(maxDuration = "1m")
    void takesAnyBytes(byte[] text) {
        RecordingSink.of(new SyslogParser(CONFIG, false), text, 1);
        RecordingSink whole = RecordingSink.of(new SyslogParser(CONFIG, true), text, 1);
        RecordingSink pieces = new RecordingSink();
        new ChunkFeeder(new Random(text.length)).feed(new SyslogParser(CONFIG, true), pieces, text, 7, true);
        // after an invalid length the rest is void, and its bytes may come in a later piece
        if (pieces.points.size() < whole.points.size()
                || !pieces.points.subList(0, whole.points.size()).equals(whole.points)) {
            throw new AssertionError("The pieces make a difference.");
        }
    }
}
