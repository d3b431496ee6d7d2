package io.chimera.faults.sim.world;

import io.chimera.common.agent.ManualClock;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** Planned actions in virtual time, in the order of time. */
public final class Timetable {
    private final ManualClock clock;
    private final SplittableRandom random;
    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparingLong(Entry::atNs).thenComparingLong(Entry::number));
    private long numbers;

    private record Entry(long atNs, long number, Runnable action) {}

    public Timetable(ManualClock clock, SplittableRandom random) {
        this.clock = clock;
        this.random = random;
    }

    public SplittableRandom random() {
        return random;
    }

    public long nowNs() {
        return clock.nanoTime();
    }

    /** Plans an action after a time. */
    public void in(long ns, Runnable action) {
        entries.add(new Entry(nowNs() + ns, numbers++, action));
    }

    /** Returns the time until the next entry; {@link Long#MAX_VALUE} without entries. */
    public long untilNextNs() {
        return entries.isEmpty() ? Long.MAX_VALUE : entries.peek().atNs - nowNs();
    }

    /** Runs all due actions; true when there was one. */
    public boolean run() {
        boolean any = false;
        while (!entries.isEmpty() && entries.peek().atNs <= nowNs()) {
            entries.poll().action.run();
            any = true;
        }
        return any;
    }
}
