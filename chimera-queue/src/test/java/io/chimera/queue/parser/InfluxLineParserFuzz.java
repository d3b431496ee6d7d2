package io.chimera.queue.parser;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Random;

/**
 * Arbitrary bytes in arbitrary pieces cause no exception, and yield the same result as one piece and as a sink with
 * known series.
 */
final class InfluxLineParserFuzz {
    @FuzzTest(maxDuration = "1m")
    void takesAnyBytes(byte[] text) {
        RecordingSink whole = RecordingSink.of(new InfluxLineParser(), text, 1);
        RecordingSink pieces = new RecordingSink();
        new ChunkFeeder(new Random(text.length)).feed(new InfluxLineParser(), pieces, text, 7, true);
        if (!whole.points.equals(pieces.points) || !whole.rejects.equals(pieces.rejects)) {
            throw new AssertionError("The pieces make a difference.");
        }
        RecordingSink knowing = RecordingSink.knowing().take(new InfluxLineParser(), text, 1);
        if (!whole.written().equals(knowing.written()) || !whole.rejects.equals(knowing.rejects)) {
            throw new AssertionError("What the sink knows makes a difference.");
        }
    }
}
