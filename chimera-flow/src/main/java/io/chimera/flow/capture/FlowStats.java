package io.chimera.flow.capture;

import io.chimera.api.HotPath;
import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.flow.packet.PacketOutcome;
import io.chimera.flow.table.FlowCounts;
import io.chimera.flow.table.FlowRecord;
import io.chimera.flow.table.FlowSink;
import io.chimera.flow.table.FlowTable;
import io.chimera.flow.table.FlowTableSettings;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

/**
 * Counts the tuples of a batch into their flows, and adds ended records to the batch (STATS of Fais et al. 2021,
 * section 5.1). While the sink is behind, records stay in the table. Used by one thread.
 */
final class FlowStats implements FlowSink {
    /** Update interval of the node's counters. */
    private static final long TELL_MS = 100;

    private final FlowTable table;
    private final FlowCounts counts;
    private final BooleanSupplier isSinkBehind;
    private final Clock clock;
    private final Counters<QueueCounter> counters;
    private final Told[] told;
    private long toldMs;
    private TupleBatch batch;

    FlowStats(FlowTableSettings settings, BooleanSupplier isSinkBehind, Clock clock, Counters<QueueCounter> counters) {
        this.isSinkBehind = isSinkBehind;
        this.clock = clock;
        this.counters = counters;
        table = new FlowTable(settings, this);
        counts = table.counts();
        told = new Told[] {
            new Told(QueueCounter.CAPTURE_PACKETS, FlowCounts::packets),
            new Told(QueueCounter.CAPTURE_BYTES, FlowCounts::wireBytes),
            new Told(QueueCounter.CAPTURE_UNPLACED, FlowCounts::unplaced),
            new Told(QueueCounter.CAPTURE_NOT_IP, counted -> counted.packets(PacketOutcome.NOT_IP)),
            new Told(QueueCounter.CAPTURE_MALFORMED, FlowCounts::malformed),
            new Told(QueueCounter.CAPTURE_FLOWS, FlowCounts::flows),
            new Told(QueueCounter.CAPTURE_RECORDS, FlowCounts::records),
            new Told(QueueCounter.CAPTURE_EVICTED, counted -> counted.records(FlowRecord.END_LACK_OF_RESOURCES)),
        };
    }

    /** A node counter with the value already reported. */
    private static final class Told {
        private final QueueCounter counter;
        private final ToLongFunction<FlowCounts> figure;
        private long last;

        Told(QueueCounter counter, ToLongFunction<FlowCounts> figure) {
            this.counter = counter;
            this.figure = figure;
        }
    }

    void run(TupleBatch tuples) {
        batch = tuples;
        table.accept(tuples.tuples(), tuples.packets());
        if (tuples.timeNs() > 0) {
            table.expire(tuples.timeNs());
        }
        if (tuples.isLast() && !table.flush()) {
            tuples.notLast(); // the remaining records need another batch
        }
        long nowMs = clock.epochMs();
        if (tuples.isLast() || nowMs - toldMs >= TELL_MS) {
            toldMs = nowMs;
            tell();
        }
    }

    private void tell() {
        for (Told one : told) {
            long now = one.figure.applyAsLong(counts);
            counters.add(one.counter, now - one.last);
            one.last = now;
        }
    }

    @Override
    @HotPath
    public boolean onFlow(FlowRecord record) {
        return !isSinkBehind.getAsBoolean() && batch.add(record);
    }
}
