package io.chimera.faults.sim.fault;

import io.chimera.common.wire.PartFrame;
import io.chimera.faults.sim.world.SimProcess;
import io.chimera.faults.sim.world.Timetable;
import io.chimera.testkit.channel.MemoryNetwork;
import java.util.List;
import java.util.SplittableRandom;

/** Faults of connections between nodes. */
final class NetworkFaults {
    private static final long MS = 1_000_000;

    /** Time after which both ends give up a silent connection, like the real transport. */
    private static final long SILENCE_MS = 10_000;

    private final ActiveFaults active;
    private final Timetable timetable;
    private final MemoryNetwork network;
    private final SplittableRandom random;

    NetworkFaults(ActiveFaults active, Timetable timetable, MemoryNetwork network) {
        this.active = active;
        this.timetable = timetable;
        this.network = network;
        random = timetable.random();
    }

    boolean partition(boolean oneWay) {
        SimProcess node = active.any(null);
        SimProcess other = active.any(null);
        if (node == null || other == null || node == other || !node.hasTransport() || !other.hasTransport()) {
            return false;
        }
        active.note(node, (oneWay ? "reaches not " : "cut off from ") + other);
        String from = node.id();
        String to = other.id();
        boolean[] lasts = {true};
        if (oneWay) {
            network.blockOneWay(from, to);
        } else {
            network.block(from, to);
        }
        timetable.in(SILENCE_MS * MS, () -> {
            if (lasts[0]) {
                network.cut(from, to);
            }
        });
        active.lasting(50 + random.nextLong(14_000), () -> {
            lasts[0] = false;
            network.unblock(from, to);
        });
        return true;
    }

    /** Lets a queue node copy nothing from the given nodes for a while, and they nothing from it. */
    void copyLater(String queue, List<SimProcess> others) {
        others.forEach(other -> network.block(queue, other.id()));
        active.lasting(500 + random.nextLong(4_000), () -> others.forEach(other -> network.unblock(queue, other.id())));
    }

    boolean connectionBroken() {
        SimProcess node = active.any(null);
        SimProcess other = active.any(null);
        if (node == null || other == null) {
            return false;
        }
        active.note(node, "connections broken with " + other);
        network.cut(node.id(), other.id());
        return true;
    }

    /** Injects many short delays, which let other connections overtake. */
    boolean delay() {
        for (int i = 0; i < 20; i++) {
            timetable.in(random.nextLong(5_000 * MS), () -> {
                SimProcess node = active.any(null);
                SimProcess other = active.any(null);
                if (!active.isOver() && node != null && node != other) {
                    network.blockOneWay(node.id(), other.id());
                    active.lasting(5 + random.nextLong(500), () -> network.unblock(node.id(), other.id()));
                }
            });
        }
        return true;
    }

    boolean framesLost() {
        int oneIn = 2 + random.nextInt(10);
        network.lose((frame, offset, length) -> length > PartFrame.END_LENGTH
                && PartFrame.type(frame, offset) == PartFrame.DATA
                && random.nextInt(oneIn) == 0);
        active.lasting(random.nextLong(6_000), () -> network.lose((frame, offset, length) -> false));
        return true;
    }
}
