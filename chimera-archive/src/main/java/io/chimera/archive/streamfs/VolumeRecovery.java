package io.chimera.archive.streamfs;

import io.chimera.archive.streamfs.BlockScan.Found;
import io.chimera.archive.streamfs.layout.DeviceSet;
import io.chimera.archive.streamfs.layout.Geometry;
import io.chimera.archive.streamfs.layout.Label;
import io.chimera.archive.streamfs.layout.Root;
import io.chimera.archive.streamfs.layout.SipHash;
import io.chimera.archive.streamfs.layout.VolumeFormat;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Opens a volume after any kind of shutdown. Blocks between {@code low} and {@code limit} of the last root are found by
 * their own headers. Older blocks are found in the maps, which mark blocks with an unknown end. If one of the two roots
 * is damaged, the last root is unknown, and all headers are read.
 *
 * <p>Blocks without acknowledged records that do not follow their stream without a gap are erased, so no later recovery
 * finds them. Everything else found is flushed, because it may be only in the cache of the device; then a root of a new
 * epoch is written. A loss of power in between is harmless: the next recovery finds the same blocks.
 */
final class VolumeRecovery {
    private final DeviceSet devices;
    private final Label label;
    private final Geometry geometry;
    private final SipHash hash;
    private final CRC32C crc = new CRC32C();
    private final List<StreamState> streams = new ArrayList<>();
    private final Block[] slots;
    private final Found[] founds;
    private final BlockScan scan;
    private final boolean isWhole;
    private final long low;
    private final long limit;
    private Root root;
    private long position;
    private long damaged;

    /** Reads and repairs the volume, and writes the root of a new epoch. */
    static VolumeRecovery of(DeviceSet devices, Label label) {
        VolumeRecovery recovery = new VolumeRecovery(devices, label);
        recovery.run();
        return recovery;
    }

    private VolumeRecovery(DeviceSet devices, Label label) {
        this.devices = devices;
        this.label = label;
        geometry = new Geometry(label);
        hash = new SipHash(label.secret0(), label.secret1());
        slots = new Block[geometry.slots];
        founds = new Found[geometry.slots];
        Root even = readRoot(0);
        Root odd = readRoot(1);
        Root newest = newest(even, odd);
        if (newest == null) {
            throw new ChimeraException(
                    Category.FATAL,
                    "Both roots of volume " + Long.toHexString(label.volume())
                            + " are damaged: the stream directory is lost.");
        }
        isWhole = even != null && odd != null;
        root = newest;
        scan = new BlockScan(geometry, hash, root.streams().size());
        low = isWhole ? root.low() : 0;
        limit = isWhole ? root.limit() : Long.MAX_VALUE;
    }

    Label label() {
        return label;
    }

    Geometry geometry() {
        return geometry;
    }

    SipHash hash() {
        return hash;
    }

    DeviceSet devices() {
        return devices;
    }

    List<StreamState> streams() {
        return streams;
    }

    Block[] slots() {
        return slots;
    }

    Root root() {
        return root;
    }

    long position() {
        return position;
    }

    long damaged() {
        return damaged;
    }

    private static @Nullable Root newest(@Nullable Root even, @Nullable Root odd) {
        if (even == null || odd == null) {
            return even == null ? odd : even;
        }
        return even.generation() > odd.generation() ? even : odd;
    }

    private @Nullable Root readRoot(long generation) {
        UnsafeBuffer buffer = VolumeFormat.aligned(geometry.rootBytes, geometry.alignment);
        read(0, geometry.rootOffset(generation), buffer, buffer.capacity());
        return Root.decode(buffer, crc, label.volume());
    }

    /** Reads a range. A read error does not count as lost data: the volume is not opened. */
    private void read(int device, long offset, UnsafeBuffer into, int length) {
        String error = devices.read(device, offset, into.addressOffset(), length);
        if (error != null) {
            throw new ChimeraException(
                    Category.FATAL,
                    "Device " + device + " of the volume cannot be read at " + offset + ": " + error
                            + ". Check the device, then open the volume again.");
        }
    }

    private void run() {
        int groups = geometry.slots / geometry.groupBlocks;
        UnsafeBuffer map = VolumeFormat.aligned(geometry.mapBytes(), geometry.alignment);
        for (int group = 0; group < groups; group++) {
            readGroup(group, groups, map);
        }
        position = low;
        for (Found found : founds) {
            if (found != null) {
                position = Math.max(position, found.block.position + 1);
            }
        }
        List<Found> refused = restoreStreams();
        dropOverwritten();
        writeBack(refused, map, groups);
    }

    private void readGroup(int group, int groups, UnsafeBuffer map) {
        int first = group * geometry.groupBlocks;
        boolean isFirstTurn = limit <= geometry.slots;
        if (isFirstTurn && first >= limit) {
            return; // never written
        }
        boolean isMapped = !isRecent(group, groups);
        if (isMapped) {
            int slot = first + geometry.groupBlocks - 1;
            read(geometry.device(slot), geometry.offset(slot), map, map.capacity());
            isMapped = MapLayout.isGenuine(map, crc, label.volume(), group, groups, geometry.groupBlocks - 1);
        }
        for (int i = 0; i < geometry.groupBlocks - 1; i++) {
            founds[first + i] = isMapped ? mapped(map, i, first + i) : header(first + i);
        }
    }

    /** Returns true if the frontier may have been in the group after the last map write. */
    private boolean isRecent(int group, int groups) {
        if (!isWhole || limit - low >= geometry.slots) {
            return true;
        }
        long behindLow = Math.floorMod(group - low / geometry.groupBlocks, (long) groups);
        return behindLow < (limit - low) / geometry.groupBlocks;
    }

    private @Nullable Found mapped(UnsafeBuffer map, int index, int slot) {
        Block block = MapLayout.block(map, index);
        if (block == null || block.stream >= root.streams().size()) {
            return null;
        }
        if (!isSound(block, slot)) {
            return header(slot);
        }
        if (MapLayout.isUnfinished(map, index)) {
            Found now = header(slot);
            // A block with another position is older than the map. The stream had given that block up, and it may be
            // overwritten in part.
            return now != null && now.block.position == block.position ? now : null;
        }
        Found found = new Found(block, slot);
        found.isTrusted = true;
        return found;
    }

    /**
     * Checks the plausibility of a mapped block: each block has its own position, and each opening skips at most one
     * number.
     */
    private boolean isSound(Block block, int slot) {
        return block.position >= 0
                && block.position < limit
                && geometry.slot(block.position) == slot
                && block.number > 0
                && block.number <= block.position + 1 + root.epoch()
                && block.firstRecord > 0
                && block.end >= 0
                && block.end <= geometry.blockBytes;
    }

    private @Nullable Found header(int slot) {
        read(geometry.device(slot), geometry.offset(slot), scan.buffer(), geometry.alignment);
        return scan.header(slot);
    }

    private @Nullable Found whole(Found found) {
        read(geometry.device(found.slot), geometry.offset(found.slot), scan.buffer(), geometry.blockBytes);
        Found now = scan.runs(found.slot);
        boolean isSame = now != null
                && now.block.stream == found.block.stream
                && now.block.number == found.block.number
                && now.block.position == found.block.position;
        return isSame ? now : null;
    }

    private List<Found> restoreStreams() {
        List<StreamRecovery> recoveries = new ArrayList<>();
        for (Root.Entry entry : root.streams()) {
            recoveries.add(new StreamRecovery(geometry, entry, this::whole));
        }
        for (Found found : founds) {
            if (found != null) {
                recoveries.get(found.block.stream).add(found);
            }
        }
        List<Found> refused = new ArrayList<>();
        for (int i = 0; i < recoveries.size(); i++) {
            StreamRecovery recovery = recoveries.get(i);
            StreamState stream = new StreamState(i, root.streams().get(i).settings());
            streams.add(stream);
            for (Found held : recovery.restore(stream)) {
                slots[held.slot] = held.block;
                founds[held.slot] = held;
            }
            refused.addAll(recovery.refused());
            damaged += recovery.damaged();
        }
        return refused;
    }

    /**
     * Drops surplus blocks in slots already used by the frontier. Such a block may be partly overwritten although its
     * old header is still intact.
     *
     * <p>Blocks in flight to the device number at most one group. The last positions before {@code position} are
     * checked, back to the point where a group's worth of blocks was found. After {@code position}, the frontier may
     * have used one more group of surplus blocks, plus at most one group that became surplus through the blocks in
     * flight.
     */
    private void dropOverwritten() {
        int found = 0;
        for (long at = position - 1;
                at >= Math.max(0, position - geometry.slots) && found < geometry.groupBlocks;
                at--) {
            Block block = slots[geometry.slot(at)];
            found += block != null && block.position == at ? 1 : 0;
            dropIfOverwritten(at);
        }
        long end = Math.min(limit, position + geometry.slots);
        int ahead = 0;
        for (long at = position; at < end && ahead < 2 * geometry.groupBlocks; at++) {
            ahead += dropIfOverwritten(at) ? 1 : 0;
        }
    }

    /** Returns true if the frontier may have used the slot. */
    private boolean dropIfOverwritten(long at) {
        int slot = geometry.slot(at);
        Block block = slots[slot];
        if (block == null || block.position == at || !isSurplus(block)) {
            return false;
        }
        if (isOverwritten(founds[slot])) {
            drop(block);
        }
        return true;
    }

    private boolean isSurplus(Block block) {
        return streams.get(block.stream).isSurplus(block.number, geometry.blockBytes);
    }

    private boolean isOverwritten(Found found) {
        Found now = found.isScanned ? found : whole(found);
        Block next = streams.get(found.block.stream).block(found.block.number + 1);
        return now == null || next == null || now.lastRecord + 1 != next.firstRecord;
    }

    private void drop(Block block) {
        StreamState stream = streams.get(block.stream);
        while (stream.oldestBlock() <= block.number) {
            Block oldest = stream.dropOldest();
            if (!oldest.isDamaged) {
                slots[geometry.slot(oldest.position)] = null;
            }
        }
    }

    private void writeBack(List<Found> refused, UnsafeBuffer map, int groups) {
        UnsafeBuffer zeros = VolumeFormat.aligned(geometry.alignment, geometry.alignment);
        for (Found found : refused) {
            devices.writeNow(
                    geometry.device(found.slot),
                    geometry.offset(found.slot),
                    zeros.addressOffset(),
                    zeros.capacity(),
                    "the blocks erased by the recovery");
        }
        long first = isWhole ? low / geometry.groupBlocks : Math.max(0, position / geometry.groupBlocks - groups);
        for (long group = first; group < position / geometry.groupBlocks; group++) {
            MapWriter.encode(map, crc, label.volume(), geometry, group, slots, streams);
            int slot = geometry.slot(group * geometry.groupBlocks + geometry.groupBlocks - 1);
            devices.writeNow(
                    geometry.device(slot), geometry.offset(slot), map.addressOffset(), map.capacity(), "a map");
        }
        devices.flushNow("the blocks found by the recovery");
        writeRoot();
    }

    private void writeRoot() {
        long group = position / geometry.groupBlocks;
        long ahead = (group + Frontier.GROUPS_AHEAD) * geometry.groupBlocks;
        root = new Root(
                label.volume(),
                root.generation() + 1,
                root.epoch() + 1,
                group * geometry.groupBlocks,
                isWhole ? Math.max(limit, ahead) : ahead,
                RootWriter.entries(streams));
        UnsafeBuffer buffer = VolumeFormat.aligned(geometry.rootBytes, geometry.alignment);
        root.encode(buffer, crc);
        devices.writeNow(
                0, geometry.rootOffset(root.generation()), buffer.addressOffset(), buffer.capacity(), "the root");
        devices.flushNow("the root");
    }
}
