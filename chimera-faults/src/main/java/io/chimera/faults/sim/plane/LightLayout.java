package io.chimera.faults.sim.plane;

import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.identity.LaneId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Creates the light members of the processes of a cluster. */
final class LightLayout {
    /** Queue nodes of a journal group. */
    private static final int GROUP = 3;

    private final PlaneSize size;
    private final SplittableRandom random;
    private final long[][] streams;

    LightLayout(PlaneSize size, SplittableRandom random) {
        this.size = size;
        this.random = random;
        streams = new long[size.lanes()][size.queues()];
        for (long[] lane : streams) {
            for (int i = 0; i < lane.length; i++) {
                lane[i] = random.nextLong();
            }
        }
    }

    /** Creates and starts the lanes of a queue node. */
    void queues(int number, LightTime time, LightCluster shared, Supplier<Cluster> access, long atNs) {
        for (int lane = 0; lane < size.lanes(); lane++) {
            int group = group(number);
            new LightQueue(
                            LaneId.of("q" + number, lane),
                            new JournalGroup("g" + group).lane(lane),
                            random.nextLong(),
                            streams[lane][number],
                            ofGroup(streams[lane], group),
                            time,
                            shared,
                            access.get())
                    .start(atNs + random.nextLong(LightQueue.ANNOUNCE_NS));
        }
    }

    /** Creates and starts the lanes of a processor. */
    List<LightProcessor> processors(
            int number, LightTime time, LightCluster shared, Supplier<Cluster> access, long atNs) {
        List<LightProcessor> lanes = new ArrayList<>();
        for (int lane = 0; lane < size.lanes(); lane++) {
            LightProcessor processor =
                    new LightProcessor(LaneId.of("p" + number, lane), random.nextLong(), time, shared, access.get());
            processor.start(atNs);
            lanes.add(processor);
        }
        return lanes;
    }

    /** Returns the journal group of a queue node; the last group takes the rest. */
    private int group(int number) {
        return Math.min(number / GROUP, Math.max(1, size.queues() / GROUP) - 1);
    }

    /** Returns the streams of the queue nodes of a group. */
    private List<Long> ofGroup(long[] lane, int group) {
        List<Long> copied = new ArrayList<>();
        for (int i = 0; i < lane.length; i++) {
            if (group(i) == group) {
                copied.add(lane[i]);
            }
        }
        return copied;
    }
}
