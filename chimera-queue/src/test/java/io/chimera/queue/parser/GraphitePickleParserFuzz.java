package io.chimera.queue.parser;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.Random;

/** Arbitrary bytes in arbitrary pieces cause no exception, and yield the same points as one piece. */
final class GraphitePickleParserFuzz {
    @FuzzTest(maxDuration = "1m")
    void takesAnyBytes(byte[] text) {
        RecordingSink whole = RecordingSink.of(new GraphitePickleParser(List.of()), text, 1);
        RecordingSink pieces = new RecordingSink();
        new ChunkFeeder(new Random(text.length)).feed(new GraphitePickleParser(List.of()), pieces, text, 7, true);
        if (!pieces.points.subList(0, whole.points.size()).equals(whole.points)) {
            throw new AssertionError("The pieces make a difference.");
        }
    }
}
