package io.chimera.queue.parser;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Random;

/** Arbitrary bytes yield the data points of a JSON tree, and the same with a full ring. */
final class OpenTsdbJsonParserFuzz {
    @FuzzTest(maxDuration = "1m")
    void takesAnyBytes(byte[] text) {
        OpenTsdbOracle.check(text);
        RecordingSink whole = RecordingSink.of(new OpenTsdbJsonParser(), text, 1);
        RecordingSink pieces = new RecordingSink();
        new ChunkFeeder(new Random(text.length)).feed(new OpenTsdbJsonParser(), pieces, text, 7, true);
        if (!whole.points.equals(pieces.points) || !whole.rejects.equals(pieces.rejects)) {
            throw new AssertionError("The pieces make a difference.");
        }
    }
}
