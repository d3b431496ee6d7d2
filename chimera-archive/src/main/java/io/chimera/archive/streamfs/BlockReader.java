package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.VolumeLayout.alignUp;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Copies a part of a block out of memory, or reads it from the device, while the writer goes on. What it got is checked against
 * the writer afterwards: the memory is the block's still, or the block is held still. Of one reader's thread.
 */
final class BlockReader implements AutoCloseable {
    /** The block was overwritten. */
    static final int GONE = -1;

    private final Geometry geometry;
    private final DeviceSet devices;
    /** Borrowed when something is read first. */
    private UnsafeBuffer buffer;

    private int start;

    BlockReader(Geometry geometry, DeviceSet devices) {
        this.geometry = geometry;
        this.devices = devices;
    }

    UnsafeBuffer buffer() {
        return buffer;
    }

    /** Index in the buffer of what was asked for last. */
    int start() {
        return start;
    }

    /**
     * Takes a part of a block, as far as there are records.
     *
     * @return bytes that there are from the offset on: fewer than asked for behind the last record, or where the memory of a
     *     block begins; 0 when it has none; or {@link #GONE}
     */
    int load(StreamState of, Block block, int offset, int length) {
        if (buffer == null) {
            buffer = devices.readMemory().borrow(geometry);
        }
        while (true) {
            int end = block.end;
            if (offset >= end) {
                return 0;
            }
            int count = Math.min(length, end - offset);
            BlockBuffer memory = block.memory;
            if (memory == null) {
                return read(of, block, offset, count);
            }
            if (offset < block.memoryFrom) {
                return read(of, block, offset, Math.min(count, block.memoryFrom - offset));
            }
            memory.buffer.getBytes(offset, buffer, 0, count);
            VarHandle.acquireFence(); // the copy is complete before the next look
            if (block.memory == memory) {
                start = 0;
                return count;
            }
        }
    }

    private int read(StreamState of, Block block, int offset, int count) {
        int slot = geometry.slot(block.position);
        int from = offset & -geometry.alignment;
        int length = alignUp(offset + count, geometry.alignment) - from;
        String error =
                devices.read(geometry.device(slot), geometry.offset(slot) + from, buffer.addressOffset(), length);
        if (isGone(of, block)) {
            return GONE;
        }
        if (error != null) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Device " + geometry.device(slot) + " of the volume cannot be read at "
                            + (geometry.offset(slot) + from) + ": " + error + ". Check the device.");
        }
        start = offset - from;
        return count;
    }

    /** Nothing that was read may be looked at any more. Doing it twice does nothing. */
    @Override
    public void close() {
        if (buffer != null) {
            devices.readMemory().giveBack(buffer);
            buffer = null;
        }
    }

    static boolean isGone(StreamState of, Block block) {
        return of.oldestBlock() > block.number;
    }

    /** What a reader is told of a block that does not hold what it must. */
    ChimeraException damaged(StreamState of, Block block, int offset) {
        String where = block.isDamaged
                ? "it was damaged when the volume was opened"
                : "slot " + geometry.slot(block.position) + ", device " + geometry.device(geometry.slot(block.position))
                        + " at " + (geometry.offset(geometry.slot(block.position)) + offset);
        return new ChimeraException(
                Category.ERROR,
                "Block " + block.number + " of stream '" + of.settings.name() + "' is damaged at offset " + offset
                        + " (" + where + "); what it held there is lost.");
    }
}
