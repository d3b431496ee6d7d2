package io.chimera.processor.staging.composer;

import io.chimera.api.model.DataPoint;
import io.chimera.api.spi.PointView;
import io.chimera.common.agent.Clock;
import io.chimera.common.composition.BlockFaults;
import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.processor.pipeline.LetterFile;
import io.chimera.processor.pipeline.LetterFiles;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.ErrorHandler;

/**
 * Writes points at which a block threw to the dead letters. The block keeps its state from before the exception: given
 * the same points and state, the block throws at the same point on every node, so the state stays the same on all
 * nodes. The block's thread.
 */
final class BlockLetters implements BlockFaults {
    private final LetterFile letters;
    private final String pipeline;
    private final Clock clock;
    private final Counters<ProcessorCounter> counters;
    private final ErrorHandler errors;
    private final AtomicLong faults = new AtomicLong();

    /** Whether faults are not reported: during a rebuild, because they were reported in the original run. */
    private volatile boolean isSilent;

    BlockLetters(LetterFiles files, String pipeline, ComposerPorts links) {
        letters = files.open("dead-letter-blocks-" + pipeline + ".jsonl");
        this.pipeline = pipeline;
        clock = links.clock();
        counters = links.counters();
        errors = links.errors();
    }

    /** Returns the number of exceptions thrown by blocks so far. */
    long faults() {
        return faults.get();
    }

    void silent(boolean silent) {
        isSilent = silent;
    }

    @Override
    public void onFault(String block, PointView point, Throwable fault) {
        faults.incrementAndGet();
        if (isSilent) {
            return;
        }
        counters.increment(ProcessorCounter.COMPOSER_POINTS_POISONED);
        errors.onError(new ChimeraException(
                ChimeraException.Category.ERROR,
                "Block " + block + " of pipeline " + pipeline + " failed "
                        + (point == null ? "at the end of a cycle" : "at a data point of " + point.metric()) + ": "
                        + fault
                        + ". The output of the block for this input is dropped"
                        + (point == null ? "" : ", and the point is in the dead letters") + ". Correct the plugin.",
                fault));
        if (point instanceof PointFlyweight flyweight) {
            write(block, flyweight, fault);
        }
    }

    private synchronized void write(String block, PointFlyweight flyweight, Throwable fault) {
        DataPoint point = RecordDecoder.point(
                RecordDecoder.key(flyweight.series()), flyweight.fieldsDefinition(), flyweight.record());
        Map<String, Object> letter = new LinkedHashMap<>();
        letter.put("time_ms", clock.epochMs());
        letter.put("pipeline", pipeline);
        letter.put("block", block);
        letter.put("reason", "the block failed: " + fault);
        letter.put("metric", point.key().metric());
        letter.put("tags", point.key().tags().asMap());
        letter.put("fields", point.fields());
        letter.put("timestamp_ns", point.timeNs());
        if (!letters.write(letter)) {
            counters.increment(ProcessorCounter.STAGING_LETTERS_LOST);
        }
    }
}
