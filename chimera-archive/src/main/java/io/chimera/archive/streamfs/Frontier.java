package io.chimera.archive.streamfs;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The one place where blocks are written (Hyperion 2007, 4.2): goes around the volume, takes what is free or surplus and
 * skips what is guaranteed. Copies nothing. Writer's thread.
 *
 * <p>It takes nothing from {@code limit} on, which a durable root names: so a recovery knows where to stop. The groups in
 * which it took something are {@code dirty} until their map is durable.
 */
final class Frontier {
    /** Groups that it may be ahead of the last durable root: what a recovery reads. */
    static final int GROUPS_AHEAD = 4;
    /** A group's map is written when the frontier has left the group after it: most of its blocks are full by then. */
    private static final long MAP_DELAY_GROUPS = 2;

    private final Geometry geometry;
    private final List<StreamState> streams;
    private final Block[] slots;
    private final ArrayDeque<Long> dirty = new ArrayDeque<>();
    private volatile long position;
    private long limit;
    private boolean isWaiting;
    private volatile long placed;
    private volatile long skipped;

    Frontier(Geometry geometry, List<StreamState> streams, Block[] slots, long position, long limit) {
        this.geometry = geometry;
        this.streams = streams;
        this.slots = slots;
        this.position = position;
        this.limit = limit;
        if (position % geometry.groupBlocks != 0) {
            dirty.add(position / geometry.groupBlocks); // an earlier opening began it
        }
    }

    /**
     * Gives a block its place, and forgets what was there and all that is older in its stream.
     *
     * @return false when a root must be durable before
     * @throws ChimeraException nothing is surplus
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    boolean place(Block block) {
        long at = find();
        skipped += at - position - (at / geometry.groupBlocks - position / geometry.groupBlocks);
        position = at;
        isWaiting = at >= limit;
        if (isWaiting) {
            return false;
        }
        int slot = geometry.slot(at);
        Block old = slots[slot];
        if (old != null) {
            drop(old);
        }
        slots[slot] = block;
        block.position = at;
        placed++;
        position = at + 1;
        long group = at / geometry.groupBlocks;
        if (dirty.isEmpty() || dirty.peekLast() != group) {
            dirty.add(group);
        }
        return true;
    }

    private long find() {
        long end = position + geometry.slots;
        for (long at = position; at < end; at++) {
            if (!geometry.isMap(at)) {
                Block old = slots[geometry.slot(at)];
                if (old == null || streams.get(old.stream).isSurplus(old.number, geometry.blockBytes)) {
                    return at;
                }
            }
        }
        throw new ChimeraException(
                Category.ERROR,
                "No block of the volume is surplus: the guarantees take all of its " + geometry.dataSlots()
                        + " blocks. Lower a guarantee, or use a larger volume.");
    }

    /** Forgets a block and all that is older in its stream. */
    void drop(Block block) {
        StreamState stream = streams.get(block.stream);
        while (stream.oldestBlock() <= block.number) {
            Block oldest = stream.dropOldest();
            if (!oldest.isDamaged && slots[geometry.slot(oldest.position)] == oldest) {
                slots[geometry.slot(oldest.position)] = null;
            }
        }
    }

    /** Whether a block waits for a root. */
    boolean isWaiting() {
        return isWaiting;
    }

    /** What is in every slot, for maps. */
    Block[] slots() {
        return slots;
    }

    /** The group whose map is to be written now, counted from the first turn; -1: none. */
    long dueGroup() {
        Long oldest = dirty.peekFirst();
        return oldest != null && position / geometry.groupBlocks >= oldest + MAP_DELAY_GROUPS ? oldest : -1;
    }

    /** The map of the oldest dirty group is durable. */
    void mapped() {
        dirty.removeFirst();
    }

    boolean needsRoot() {
        return position + MAP_DELAY_GROUPS * geometry.groupBlocks >= limit;
    }

    /** For a root: everything before is in maps that are durable. */
    long low() {
        Long oldest = dirty.peekFirst();
        return (oldest == null ? position / geometry.groupBlocks : oldest) * geometry.groupBlocks;
    }

    /** For a root: how far the frontier may go when it is durable. */
    long limitAhead() {
        return (position / geometry.groupBlocks + GROUPS_AHEAD) * geometry.groupBlocks;
    }

    void limit(long durableLimit) {
        limit = durableLimit;
    }

    /** Next to be looked at. Any thread. */
    long position() {
        return position;
    }

    /** Blocks that got a place. Any thread. */
    long placed() {
        return placed;
    }

    /** Blocks that were passed since they are guaranteed. Any thread. */
    long skipped() {
        return skipped;
    }
}
