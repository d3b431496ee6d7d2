package io.chimera.queue.parser;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.common.config.GraphiteConfig;
import io.chimera.common.config.GraphiteTemplate;
import java.util.List;
import java.util.Random;

/**
 * Arbitrary bytes in arbitrary pieces cause no exception, yield the points of a simple reader, and the same with a sink
 * that knows series.
 */
final class GraphiteLineParserFuzz {
    private static final List<GraphiteTemplate> TEMPLATES =
            new GraphiteConfig(GraphiteOracle.TEMPLATES).parsedTemplates();

    @FuzzTest(maxDuration = "1m")
    void takesAnyBytes(byte[] text) {
        GraphiteOracle.check(text);
        RecordingSink whole = RecordingSink.of(new GraphiteLineParser(TEMPLATES), text, 1);
        RecordingSink pieces = new RecordingSink();
        new ChunkFeeder(new Random(text.length)).feed(new GraphiteLineParser(TEMPLATES), pieces, text, 7, true);
        if (!whole.points.equals(pieces.points) || !whole.rejects.equals(pieces.rejects)) {
            throw new AssertionError("The pieces make a difference.");
        }
        RecordingSink knowing = RecordingSink.knowing().take(new GraphiteLineParser(TEMPLATES), text, 1);
        if (!whole.points.equals(knowing.points) || !whole.rejects.equals(knowing.rejects)) {
            throw new AssertionError("The knowledge of the sink makes a difference.");
        }
    }
}
