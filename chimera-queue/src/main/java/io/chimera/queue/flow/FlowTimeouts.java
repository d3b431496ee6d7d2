package io.chimera.queue.flow;

import io.chimera.api.HotPath;
import java.util.Arrays;

/**
 * Which flows have to be looked at next: a wheel of lists, each for one tick of time. A flow stands where its deadline was when it was
 * last looked at; packets do not move it, so they cost nothing here. Whoever comes to it asks the table for its deadline of now.
 */
final class FlowTimeouts {
    /** No flow. */
    static final int NONE = -1;

    /** Lists; a timeout is half a turn, so that what lies ahead is never mistaken for what lies behind. */
    private static final int BUCKETS = 512;

    private static final int MASK = BUCKETS - 1;

    private static final int TICKS_PER_TIMEOUT = BUCKETS / 2;

    private final int capacity;
    private final long tickNs;
    /** Neighbours in the lists, which are rings; those from capacity on are the lists themselves. */
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

    /** Forgets all flows. */
    void clear() {
        for (int list = capacity; list < next.length; list++) {
            next[list] = list;
            previous[list] = list;
        }
        Arrays.fill(occupied, 0);
    }

    /** Begins anew at a time, without flows. */
    void restart(long nowNs) {
        clear();
        tick = Math.floorDiv(nowNs, tickNs);
    }

    /** Whether there may be something to look at, at a time. */
    @HotPath
    boolean isDue(long nowNs) {
        return nowNs >= (tick + 1) * tickNs;
    }

    /** Puts a flow where its deadline is; if that is past, where it is looked at next. */
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

    /** Takes a flow out. */
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
     * A flow whose list is before a time; the list is passed when it is empty.
     *
     * @return {@link #NONE} when there is none left
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

    /** The flow that has to be looked at first, however far ahead that is; {@link #NONE} without flows. */
    @HotPath
    int first() {
        int bucket = (int) (tick & MASK);
        int empty = emptyFrom(bucket);
        firstTick = tick + empty;
        return empty == BUCKETS ? NONE : next[capacity + ((bucket + empty) & MASK)];
    }

    /** Whether the flow that {@link #first} returned stands where it would be put now, so that none has to be looked at earlier. */
    @HotPath
    boolean isInPlace(long deadlineNs) {
        return place(deadlineNs) <= firstTick;
    }

    /** The tick at which a deadline is looked at: the last of the wheel where it is beyond. */
    private long place(long deadlineNs) {
        return Math.max(tick, Math.min(Math.floorDiv(deadlineNs, tickNs), tick + BUCKETS - 1));
    }

    /** Number of empty lists from one on. */
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
