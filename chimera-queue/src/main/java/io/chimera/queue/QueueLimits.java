package io.chimera.queue;

import io.chimera.common.config.InputConfig;
import io.chimera.common.config.JournalConfig;
import io.chimera.common.config.LimitsConfig;
import io.chimera.common.config.QueueConfig;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.LaneCount;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Division of a queue node's limits among its lanes. Every lane has an equal share, so the lanes share no state. Two
 * bodies of the maximum size fit into each lane, so that one client cannot use all memory of a lane. The free space on
 * the disk ({@code reserve}) is the same for all lanes, and so are the limits of series: the points of a series arrive
 * over several connections, so every lane may see every series.
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
                List.of(), // the launcher has bound the lane
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
        long inFlight =
                Math.max(2 * limits.bodyMax().bytes(), limits.inFlightMax().bytes() / lanes);
        return new LimitsConfig(
                limits.bodyMax(),
                limits.ratioMax(),
                new ByteSize(inFlight),
                share(limits.connectionsMax(), lanes),
                limits.idle(),
                limits.clientShare(),
                limits.slow(),
                limits.series());
    }

    /** Returns an equal share, rounded up: 0 means no limit and stays 0. */
    private static int share(int limit, int lanes) {
        return (limit + lanes - 1) / lanes;
    }
}
