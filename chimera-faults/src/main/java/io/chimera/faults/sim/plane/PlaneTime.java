package io.chimera.faults.sim.plane;

import java.util.PriorityQueue;

/** Virtual time: runs planned work in the order of the planned times. */
final class PlaneTime implements LightTime {
    /** Wall-clock time of the start: 2030-01-01. */
    private static final long EPOCH_NS = 1_893_456_000_000_000_000L;

    private final PriorityQueue<Planned> plan = new PriorityQueue<>();
    private long nowNs;
    private long order;

    private record Planned(long atNs, long order, Runnable work) implements Comparable<Planned> {
        @Override
        public int compareTo(Planned other) {
            return atNs != other.atNs ? Long.compare(atNs, other.atNs) : Long.compare(order, other.order);
        }
    }

    @Override
    public long nanoTime() {
        return nowNs;
    }

    @Override
    public long epochNs() {
        return EPOCH_NS + nowNs;
    }

    @Override
    public void at(long atNs, Runnable work) {
        plan.add(new Planned(Math.max(nowNs, atNs), order++, work));
    }

    /** Runs all work planned up to a time. */
    void runUntil(long endNs) {
        while (!plan.isEmpty() && plan.peek().atNs <= endNs) {
            Planned next = plan.remove();
            nowNs = next.atNs;
            next.work.run();
        }
        nowNs = endNs;
    }
}
