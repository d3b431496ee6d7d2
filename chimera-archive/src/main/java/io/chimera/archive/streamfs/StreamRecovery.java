package io.chimera.archive.streamfs;

import io.chimera.archive.streamfs.BlockScan.Found;
import io.chimera.archive.streamfs.layout.Geometry;
import io.chimera.archive.streamfs.layout.Root;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Selects the blocks of a stream among the blocks found: all acknowledged blocks, and unacknowledged blocks that follow
 * them without a gap. A missing or incomplete acknowledged block counts as damaged and keeps its number.
 */
final class StreamRecovery {
    private final Geometry geometry;
    private final Root.Entry entry;
    private final TreeMap<Long, Found> found = new TreeMap<>();
    private final List<Found> refused = new ArrayList<>();
    private final Function<Found, @Nullable Found> scan;
    private long floor;
    private long damaged;

    /**
     * Creates the recovery of one stream. {@code scan} reads a whole block when the header is not sufficient, and
     * returns the new result, or null for an unreadable block.
     */
    StreamRecovery(Geometry geometry, Root.Entry entry, Function<Found, @Nullable Found> scan) {
        this.geometry = geometry;
        this.entry = entry;
        this.scan = scan;
        floor = entry.durable();
    }

    void add(Found each) {
        if (each.block.number < entry.oldestBlock()) {
            return; // given up before the root was written, possibly by a removed stream
        }
        floor = Math.max(floor, each.durable);
        Found other = found.get(each.block.number);
        if (other == null || other.block.position < each.block.position) {
            found.put(each.block.number, each);
            refuse(other);
        } else {
            refuse(each);
        }
    }

    private void refuse(@Nullable Found each) {
        if (each != null) {
            refused.add(each);
        }
    }

    /** Returns the blocks to erase, so no later recovery finds them. */
    List<Found> refused() {
        return refused;
    }

    long damaged() {
        return damaged;
    }

    /** Adds the recovered blocks to the stream; returns the blocks with a slot. */
    List<Found> restore(StreamState stream) {
        Found tip = tip();
        if (tip == null) {
            restoreNothing(stream);
            return List.of();
        }
        stream.lastMac = tip.block.lastMac;
        stream.appended(Math.max(floor, tip.lastRecord));
        boolean isWhole = tip.lastRecord >= floor;
        tip.block.isShort = !isWhole;
        damaged += isWhole || tip.runs == 0 ? 0 : 1; // a tip without runs becomes a placeholder, counted by fill()
        stream.resumeOffset = isWhole ? tip.nextOffset : geometry.blockBytes;
        stream.durable(stream.appended(), tip.block.number, stream.resumeOffset);
        List<Found> held = fill(stream, tip);
        if (!isWhole && !tip.isBroken) {
            stream.add(new Block(stream.index, tip.block.number + 1, tip.lastRecord + 1, true));
        }
        return held;
    }

    private void restoreNothing(StreamState stream) {
        long next = Math.max(entry.oldestBlock(), 1);
        stream.startAt(next);
        stream.appended(floor);
        stream.durable(floor, next - 1, 0);
        if (floor > 0) {
            stream.add(new Block(stream.index, next, floor, true));
            damaged++;
        }
    }

    /** Returns the last block of the stream; all later blocks are refused. */
    private @Nullable Found tip() {
        Found tip = acknowledged();
        Map.Entry<Long, Found> next = tip == null ? found.firstEntry() : found.higherEntry(tip.block.number);
        while (next != null && follows(tip, scanned(next.getValue()))) {
            tip = found.get(next.getKey());
            next = found.higherEntry(next.getKey());
        }
        if (next != null) {
            Map<Long, Found> behind = found.tailMap(next.getKey(), true);
            refused.addAll(behind.values());
            behind.clear();
        }
        return tip;
    }

    /** Returns the last block known to be acknowledged; null if no such block was found. */
    private @Nullable Found acknowledged() {
        while (true) {
            Found last = null;
            for (Found each : found.values()) {
                if (each.block.firstRecord <= floor) {
                    last = each;
                }
            }
            long before = floor;
            if (last != null) {
                last = scanned(last);
            }
            // Later runs of a block may report a higher durable count than the first header: scan all later blocks.
            for (Found behind : behind(last)) {
                scanned(behind);
            }
            if (floor == before) {
                return last;
            }
        }
    }

    private List<Found> behind(@Nullable Found last) {
        return List.copyOf(
                last == null
                        ? found.values()
                        : found.tailMap(last.block.number, false).values());
    }

    /**
     * Returns true if a block continues where another ends. Without the previous block, a block must continue after the
     * acknowledged records of the root: either an earlier opening reported the end of the stream as damaged, or all
     * older blocks were surplus and are overwritten.
     */
    private boolean follows(@Nullable Found last, Found next) {
        if (next.runs == 0) {
            return false;
        }
        boolean isBehindAcknowledged = next.block.firstRecord == entry.durable() + 1;
        if (last == null) {
            boolean isFirst = next.block.number == Math.max(1, entry.oldestBlock()) && next.previousMac == 0;
            return isBehindAcknowledged && (entry.durable() > 0 || isFirst);
        }
        if (last.lastRecord < entry.durable()) {
            return isBehindAcknowledged && next.block.number > last.block.number;
        }
        return next.block.number == last.block.number + 1
                && next.block.firstRecord == last.lastRecord + 1
                && next.previousMac == last.block.lastMac;
    }

    private Found scanned(Found each) {
        if (each.isScanned) {
            return each;
        }
        Found whole = scan.apply(each);
        Found now = whole == null ? each : whole;
        if (whole == null) {
            now.runs = 0;
            now.isTrusted = false;
            now.isScanned = true;
            now.lastRecord = now.block.firstRecord - 1;
            now.block.end = 0;
            now.nextOffset = geometry.blockBytes;
        }
        floor = Math.max(floor, now.durable);
        found.put(now.block.number, now);
        return now;
    }

    /** Collects the blocks from the tip back to the oldest held block. */
    private List<Found> fill(StreamState stream, Found tip) {
        List<Found> newestFirst = new ArrayList<>();
        List<Block> blocks = new ArrayList<>();
        Found newer = null;
        long number = tip.block.number;
        while (number >= Math.max(1, entry.oldestBlock())) {
            long firstRecord = newer == null ? 0 : newer.block.firstRecord;
            Found each = checked(found.get(number), firstRecord);
            Found present = each == null || (each.runs == 0 && !each.isTrusted) ? null : each;
            boolean isShort = present != null && present.isScanned && present.lastRecord + 1 < firstRecord;
            if (present == null || isShort) {
                if (stream.isSurplus(number, geometry.blockBytes)) {
                    break; // overwritten in order, possibly in part
                }
                // The missing end of a short block may belong to the missing blocks after it, already counted.
                boolean isCounted =
                        present != null && !present.isBroken && newer != null && newer.block.number > number + 1;
                damaged += isCounted ? 0 : 1;
            }
            if (present == null) {
                blocks.add(placeholder(stream.index, number, each, firstRecord));
            } else {
                present.block.isShort |= isShort;
                blocks.add(present.block);
                newestFirst.add(present);
                newer = present;
            }
            number--;
        }
        stream.startAt(number + 1);
        for (int i = blocks.size() - 1; i >= 0; i--) {
            stream.add(blocks.get(i));
        }
        return newestFirst;
    }

    private static Block placeholder(int stream, long number, @Nullable Found torn, long nextRecord) {
        return new Block(stream, number, torn == null ? nextRecord : torn.block.firstRecord, true);
    }

    /**
     * Checks a block before the last one. The header suffices if a single run fills the block, because all its records
     * were acknowledged.
     *
     * @param nextRecord first record of the next block; 0 for the last block
     */
    private @Nullable Found checked(@Nullable Found each, long nextRecord) {
        if (each == null) {
            return null;
        }
        boolean isEnough = each.isTrusted
                || each.isScanned
                || (each.lastRecord + 1 == nextRecord && BlockScan.isFull(geometry, each.nextOffset));
        return isEnough ? each : scanned(each);
    }
}
