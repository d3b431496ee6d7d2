package io.chimera.archive.streamfs;

import io.chimera.archive.streamfs.layout.Geometry;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.ArrayDeque;
import java.util.List;

/**
 * Single write position of a volume (Hyperion 2007, 4.2). The frontier goes around the volume, uses free and surplus
 * slots, and skips guaranteed blocks. Nothing is copied. Writer's thread.
 *
 * <p>The frontier places no block at or after {@code limit}, a position recorded in a durable root; a recovery
 * therefore knows the end of its search. Groups with placed blocks are {@code dirty} until their map is durable.
 */
final class Frontier {
    /** Maximum distance from the last durable root, in groups; bounds the search of a recovery. */
    static final int GROUPS_AHEAD = 4;
    /**
     * Delay of a map write, in groups: when the frontier leaves the following group, most blocks of the mapped group
     * are full.
     */
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
            dirty.add(position / geometry.groupBlocks); // an earlier opening began this group
        }
    }

    /**
     * Places a block, and forgets the previous block of the slot with all older blocks of the same stream.
     *
     * @return false if a root must become durable first
     * @throws ChimeraException no block is surplus
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // single writer
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

    /** Forgets a block and all older blocks of its stream. */
    void drop(Block block) {
        StreamState stream = streams.get(block.stream);
        while (stream.oldestBlock() <= block.number) {
            Block oldest = stream.dropOldest();
            if (!oldest.isDamaged && slots[geometry.slot(oldest.position)] == oldest) {
                slots[geometry.slot(oldest.position)] = null;
            }
        }
    }

    /** Returns true if a block waits for a durable root. */
    boolean isWaiting() {
        return isWaiting;
    }

    /** Returns the content of all slots, for maps. */
    Block[] slots() {
        return slots;
    }

    /** Returns the group with a due map, counted from the first turn; -1 if no map is due. */
    long dueGroup() {
        Long oldest = dirty.peekFirst();
        return oldest != null && position / geometry.groupBlocks >= oldest + MAP_DELAY_GROUPS ? oldest : -1;
    }

    /** Marks the map of the oldest dirty group as durable. */
    void mapped() {
        dirty.removeFirst();
    }

    boolean needsRoot() {
        return position + MAP_DELAY_GROUPS * geometry.groupBlocks >= limit;
    }

    /** Returns the {@code low} of a root: all earlier positions are covered by durable maps. */
    long low() {
        Long oldest = dirty.peekFirst();
        return (oldest == null ? position / geometry.groupBlocks : oldest) * geometry.groupBlocks;
    }

    /** Returns the {@code limit} of a root: how far the frontier may go once the root is durable. */
    long limitAhead() {
        return (position / geometry.groupBlocks + GROUPS_AHEAD) * geometry.groupBlocks;
    }

    void limit(long durableLimit) {
        limit = durableLimit;
    }

    /** Returns the next candidate position. Any thread. */
    long position() {
        return position;
    }

    /** Returns the number of placed blocks. Any thread. */
    long placed() {
        return placed;
    }

    /** Returns the number of guaranteed blocks skipped. Any thread. */
    long skipped() {
        return skipped;
    }
}
