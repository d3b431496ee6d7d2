package io.chimera.queue.parser;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Random;

/** Arbitrary bytes in arbitrary pieces cause no exception, and yield the same result as one piece. */
final class OpenTsdbTelnetParserFuzz {
    @FuzzTest(maxDuration = "1m")
    void takesAnyBytes(byte[] text) {
        RecordingSink whole = RecordingSink.of(new OpenTsdbTelnetParser(), text, 1);
        RecordingSink pieces = new RecordingSink();
        new ChunkFeeder(new Random(text.length)).feed(new OpenTsdbTelnetParser(), pieces, text, 7, true);
        if (!whole.points.equals(pieces.points) || !whole.rejects.equals(pieces.rejects)) {
            throw new AssertionError("The pieces make a difference.");
        }
    }
}
