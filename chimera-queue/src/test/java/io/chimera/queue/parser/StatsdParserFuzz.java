package io.chimera.queue.parser;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.common.config.StatsdConfig.RelativeGauges;
import java.util.Random;

/**
 * Arbitrary bytes in arbitrary pieces cause no exception, yield the points of a simple reader, and the same with a sink
 * that knows series.
 */
final class StatsdParserFuzz {
    @FuzzTest(maxDuration = "1m")
    void takesAnyBytes(byte[] text) {
        StatsdOracle.check(text);
        RecordingSink whole = RecordingSink.of(StatsdOracle.parser(RelativeGauges.REJECT), text, 1);
        RecordingSink pieces = new RecordingSink();
        new ChunkFeeder(new Random(text.length))
                .feed(StatsdOracle.parser(RelativeGauges.REJECT), pieces, text, 7, true);
        if (!whole.points.equals(pieces.points) || !whole.rejects.equals(pieces.rejects)) {
            throw new AssertionError("The pieces make a difference.");
        }
        RecordingSink knowing = RecordingSink.knowing().take(StatsdOracle.parser(RelativeGauges.REJECT), text, 1);
        if (!whole.points.equals(knowing.points) || !whole.rejects.equals(knowing.rejects)) {
            throw new AssertionError("The knowledge of the sink makes a difference.");
        }
    }
}
