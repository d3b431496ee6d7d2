package io.chimera.queue.dispatch;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.common.composition.BlockFaults;
import io.chimera.common.composition.Composition;
import io.chimera.common.composition.CompositionPlan;
import io.chimera.common.composition.PointFlyweight;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import java.util.function.BiConsumer;

/**
 * Composition of one pipeline before sharding. The blocks keep no state and depend only on the record, so a
 * retransmission gives the same points. A record that makes a block throw goes to the dead letters, once per pass that
 * sends the first shard of the record's part. The channel manager's thread.
 */
final class QueueComposition implements AutoCloseable {
    private final String pipeline;
    private final Counters<QueueCounter> counters;
    private final BiConsumer<String, String> deadLetters;
    private final Composition composition;
    private final PointFlyweight point = new PointFlyweight();
    private Emitted emitted;
    private boolean isReporting;

    /**
     * Creates the blocks of a pipeline.
     *
     * @param deadLetters receives a point as text, and the reason
     */
    QueueComposition(
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
     * Applies the blocks to the current record of a pass.
     *
     * @param isFirst whether the pass reports exceptions of the blocks
     */
    @HotPath
    void run(PassEntries entries, Emitted target, boolean isFirst) {
        isReporting = isFirst;
        target.clear();
        emitted = target;
        point.wrap(entries.series(), entries.fields(), entries.record());
        composition.apply(point, 0);
        if (target.isOverflown()) {
            onFault("all", point, new IllegalStateException("The blocks emitted more than 64 MiB for one record."));
            target.clear();
        }
        counters.increment(QueueCounter.BEFORE_POINTS);
        counters.add(QueueCounter.BEFORE_POINTS_EMITTED, target.count());
    }

    @ColdPath
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
