package io.chimera.flow.table;

import io.chimera.api.HotPath;
import java.util.Arrays;

/**
 * Timer wheel for flow timeouts: one list of flows per tick. A flow is placed by its deadline at the time of the last
 * check. Packets do not move the flow, so the wheel costs nothing per packet; at each check the table computes the
 * current deadline.
 */
final class FlowTimeouts {
    /** No flow. */
    static final int NONE = -1;

    /**
     * Number of lists. The longest timeout spans half the wheel, so that future ticks are never confused with past
     * ticks.
     */
    private static final int BUCKETS = 512;

    private static final int MASK = BUCKETS - 1;

    private static final int TICKS_PER_TIMEOUT = BUCKETS / 2;

    private final int capacity;
    private final long tickNs;
    /** Links of the circular lists; indexes from the capacity on are list heads. */
    private final int[] next;

    private final int[] previous;
    private final long[] occupied = new long[BUCKETS / Long.SIZE];
    private long tick;
    private long firstTick;

    FlowTimeouts(int capacity, long timeoutNsMax) {
        this.capacity = capacity;
        tickNs = Math.max(1, (timeoutNsMax + TICKS_PER_TIMEOUT - 1) / TICKS_PER_TIMEOUT);
        next = new int[capacity + BUCKETS];
        previous = new int[capacity + BUCKETS];
        clear();
    }

    /** Removes all flows. */
    void clear() {
        for (int list = capacity; list < next.length; list++) {
            next[list] = list;
            previous[list] = list;
        }
        Arrays.fill(occupied, 0);
    }

    /** Restarts at a time, without flows. */
    void restart(long nowNs) {
        clear();
        tick = Math.floorDiv(nowNs, tickNs);
    }

    /** Whether a flow may be due at a time. */
    @HotPath
    boolean isDue(long nowNs) {
        return nowNs >= (tick + 1) * tickNs;
    }

    /** Adds a flow by deadline; a past deadline goes to the current tick. */
    @HotPath
    void add(int flow, long deadlineNs) {
        int bucket = (int) (place(deadlineNs) & MASK);
        int list = capacity + bucket;
        int last = previous[list];
        next[last] = flow;
        previous[flow] = last;
        next[flow] = list;
        previous[list] = flow;
        occupied[bucket >> 6] |= 1L << bucket;
    }

    /** Removes a flow. */
    @HotPath
    void remove(int flow) {
        int before = previous[flow];
        int after = next[flow];
        next[before] = after;
        previous[after] = before;
        if (before == after && before >= capacity) {
            int bucket = before - capacity;
            occupied[bucket >> 6] &= ~(1L << bucket);
        }
    }

    /**
     * Returns a flow from a list before a time; advances past empty lists.
     *
     * @return {@link #NONE} when no flow is due
     */
    @HotPath
    int due(long nowNs) {
        long nowTick = Math.floorDiv(nowNs, tickNs);
        while (tick < nowTick) {
            int list = capacity + (int) (tick & MASK);
            if (next[list] != list) {
                return next[list];
            }
            tick = Math.min(nowTick, tick + emptyFrom((int) (tick & MASK)));
        }
        return NONE;
    }

    /** Returns the flow in the earliest list, however far ahead; {@link #NONE} without flows. */
    @HotPath
    int first() {
        int bucket = (int) (tick & MASK);
        int empty = emptyFrom(bucket);
        firstTick = tick + empty;
        return empty == BUCKETS ? NONE : next[capacity + ((bucket + empty) & MASK)];
    }

    /**
     * Whether the deadline still belongs to the list of the flow returned by {@link #first}, so that no other flow is
     * due earlier.
     */
    @HotPath
    boolean isInPlace(long deadlineNs) {
        return place(deadlineNs) <= firstTick;
    }

    /** Tick for a deadline; the last tick of the wheel when the deadline lies beyond. */
    private long place(long deadlineNs) {
        return Math.max(tick, Math.min(Math.floorDiv(deadlineNs, tickNs), tick + BUCKETS - 1));
    }

    /** Number of consecutive empty lists from a list on. */
    private int emptyFrom(int bucket) {
        int word = bucket >> 6;
        long bits = occupied[word] & (-1L << bucket);
        for (int i = 0; i <= occupied.length; i++) {
            if (bits != 0) {
                int found = (((word + i) & (occupied.length - 1)) << 6) + Long.numberOfTrailingZeros(bits);
                return (found - bucket) & MASK;
            }
            bits = occupied[(word + i + 1) & (occupied.length - 1)];
        }
        return BUCKETS;
    }
}
