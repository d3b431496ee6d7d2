package io.chimera.queue;

import io.chimera.common.config.InputConfig;
import io.chimera.common.config.JournalConfig;
import io.chimera.common.config.LimitsConfig;
import io.chimera.common.config.QueueConfig;
import io.chimera.common.config.SeriesConfig;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.LaneCount;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Division of a queue node's limits among its lanes. Every lane has an equal share, so the lanes share no state. A body
 * of the maximum size fits into each lane. The free space on the disk ({@code reserve}) is the same for all lanes.
 */
public final class QueueLimits {
    private QueueLimits() {}

    /**
     * Returns the address and the limits of a lane. A single lane has the values of the node.
     *
     * @param lanes number of lanes
     * @param lane number of the lane, from 0
     */
    public static QueueConfig of(QueueConfig queue, int lanes, int lane) {
        if (lanes == 1) {
            return queue;
        }
        JournalConfig journal = queue.journal();
        return new QueueConfig(
                queue.address(lane),
                queue.group(),
                new LaneCount(1),
                Integer.highestOneBit(queue.ringSlots() / lanes),
                queue.acks(),
                queue.minAcks(),
                new JournalConfig(
                        journal.sync(),
                        journal.interval(),
                        new ByteSize(journal.maxBytes().bytes() / lanes),
                        journal.roll(),
                        journal.reserve(),
                        journal.retainFor(),
                        new ByteSize(journal.retainBytes().bytes() / lanes),
                        journal.archive()));
    }

    /** Returns the inputs with the limits of a lane, by name. */
    public static SortedMap<String, InputConfig> of(SortedMap<String, InputConfig> inputs, int lanes) {
        SortedMap<String, InputConfig> shares = new TreeMap<>(inputs);
        if (lanes > 1) {
            shares.replaceAll((name, input) -> input.with(of(input.limits(), lanes)));
        }
        return shares;
    }

    private static LimitsConfig of(LimitsConfig limits, int lanes) {
        SeriesConfig series = limits.series();
        long inFlight = Math.max(limits.bodyMax().bytes(), limits.inFlightMax().bytes() / lanes);
        return new LimitsConfig(
                limits.bodyMax(),
                limits.ratioMax(),
                new ByteSize(inFlight),
                share(limits.connectionsMax(), lanes),
                limits.idle(),
                limits.clientShare(),
                limits.slow(),
                new SeriesConfig(
                        share(series.max(), lanes),
                        share(series.perMinute(), lanes),
                        share(series.senderMax(), lanes),
                        share(series.senderPerMinute(), lanes),
                        series.forgetAfter()));
    }

    /** Returns an equal share, rounded up: 0 means no limit and stays 0. */
    private static int share(int limit, int lanes) {
        return (limit + lanes - 1) / lanes;
    }
}
