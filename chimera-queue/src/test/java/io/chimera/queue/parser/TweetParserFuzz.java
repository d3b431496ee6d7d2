package io.chimera.queue.parser;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import java.util.Random;

/**
 * Arbitrary bytes in arbitrary pieces cause no exception, yield the same result as one piece, and yield only tags found
 * in a JSON tree of the line.
 */
final class TweetParserFuzz {
    @FuzzTest(maxDuration = "1m")
    void takesAnyBytes(byte[] text) {
        RecordingSink whole = RecordingSink.of(new TweetParser(), text, 1);
        RecordingSink pieces = new RecordingSink();
        new ChunkFeeder(new Random(text.length)).feed(new TweetParser(), pieces, text, 7, true);
        if (!whole.points.equals(pieces.points) || !whole.rejects.equals(pieces.rejects)) {
            throw new AssertionError("The pieces make a difference.");
        }
        int start = 0;
        for (int i = 0; i < text.length; i++) {
            if (text[i] == '\n') {
                TweetCheck.check(Arrays.copyOfRange(text, start, i));
                start = i + 1;
            }
        }
        TweetCheck.check(Arrays.copyOfRange(text, start, text.length));
    }
}
