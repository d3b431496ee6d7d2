package io.chimera.queue.dispatch;

import io.chimera.api.HotPath;
import io.chimera.common.composition.BlockFaults;
import io.chimera.common.composition.Composition;
import io.chimera.common.composition.CompositionPlan;
import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import java.util.function.BiConsumer;

/**
 * The composition of one pipeline ahead of the shard. Its blocks keep nothing and depend on nothing but the record, so sending
 * again gives the same. A record at which a block throws goes to the dead letters, once for each pass that sends the first shard
 * of its part. The channel manager's thread.
 */
final class Before implements AutoCloseable {
    private final String pipeline;
    private final Counters<QueueCounter> counters;
    private final BiConsumer<String, String> deadLetters;
    private final Composition composition;
    private final PointFlyweight point = new PointFlyweight();
    private Emitted emitted;
    private boolean isReporting;

    /**
     * The blocks of a pipeline.
     *
     * @param deadLetters takes a point as text, and why it is there
     */
    Before(
            String pipeline,
            CompositionPlan plan,
            Counters<QueueCounter> counters,
            BiConsumer<String, String> deadLetters) {
        this.pipeline = pipeline;
        this.counters = counters;
        this.deadLetters = deadLetters;
        BlockFaults faults = (block, given, fault) -> onFault(block, given, fault);
        composition = new Composition(plan, (given, partition) -> emitted.add(given), faults, null);
    }

    /**
     * Makes of the record that a pass is at what the blocks make of it.
     *
     * @param isFirst whether the pass is the one that reports what the blocks throw
     */
    @HotPath
    void run(PassEntries entries, Emitted target, boolean isFirst) {
        isReporting = isFirst;
        target.clear();
        emitted = target;
        point.wrap(entries.series(), entries.fields(), entries.record());
        composition.apply(point, 0);
        if (target.isOverflown()) {
            onFault("all", point, new IllegalStateException("They made more than 64 MiB of one record."));
            target.clear();
        }
        counters.increment(QueueCounter.BEFORE_POINTS);
        counters.add(QueueCounter.BEFORE_POINTS_EMITTED, target.count());
    }

    private void onFault(String block, Object given, Throwable fault) {
        if (!isReporting) {
            return;
        }
        counters.increment(QueueCounter.BEFORE_POINTS_FAILED);
        deadLetters.accept(
                String.valueOf(given), "Block " + block + " of pipeline " + pipeline + " threw " + fault + ".");
    }

    @Override
    public void close() {
        composition.close();
    }
}
