package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.layout.VolumeLayout.alignUp;

import io.chimera.archive.streamfs.layout.DeviceSet;
import io.chimera.archive.streamfs.layout.Geometry;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Copies part of a block from memory, or reads it from the device, while the writer continues. After each copy or read,
 * the reader checks that the memory still belongs to the block, or that the block is still held. Confined to one
 * reader's thread.
 */
final class BlockReader implements AutoCloseable {
    /** Result for an overwritten block. */
    static final int GONE = -1;

    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(0, 0);

    private final Geometry geometry;
    private final DeviceSet devices;
    /** Borrowed at the first read; empty before. */
    private UnsafeBuffer buffer = NOTHING;

    private int start;

    BlockReader(Geometry geometry, DeviceSet devices) {
        this.geometry = geometry;
        this.devices = devices;
    }

    UnsafeBuffer buffer() {
        return buffer;
    }

    /** Returns the buffer index of the last loaded range. */
    int start() {
        return start;
    }

    /**
     * Loads part of a block, up to the end of its records.
     *
     * @return bytes available from the offset: fewer than requested at the end of the records, or at the border between
     *     device and memory; 0 at or after the end; or {@link #GONE}
     */
    int load(StreamState of, Block block, int offset, int length) {
        if (buffer.capacity() == 0) {
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
            VarHandle.acquireFence(); // complete the copy before checking the owner again
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

    /** Returns the borrowed memory; loaded bytes must not be used afterwards. Idempotent. */
    @Override
    public void close() {
        if (buffer.capacity() > 0) {
            devices.readMemory().giveBack(buffer);
            buffer = NOTHING;
        }
    }

    static boolean isGone(StreamState of, Block block) {
        return of.oldestBlock() > block.number;
    }

    /** Creates the error for a block with damaged content. */
    ChimeraException damaged(StreamState of, Block block, int offset) {
        String where = block.isDamaged
                ? "damaged when the volume was opened"
                : "slot " + geometry.slot(block.position) + ", device " + geometry.device(geometry.slot(block.position))
                        + " at " + (geometry.offset(geometry.slot(block.position)) + offset);
        return new ChimeraException(
                Category.ERROR,
                "Block " + block.number + " of stream '" + of.settings().name() + "' is damaged at offset " + offset
                        + " (" + where + "); its data at this offset is lost.");
    }
}
