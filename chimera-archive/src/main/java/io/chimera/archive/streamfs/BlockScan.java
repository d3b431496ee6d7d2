package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.layout.VolumeLayout.RECORD_HEADER_LENGTH;
import static io.chimera.archive.streamfs.layout.VolumeLayout.RUN_HEADER_LENGTH;
import static io.chimera.archive.streamfs.layout.VolumeLayout.RUN_TRAILER_LENGTH;
import static io.chimera.archive.streamfs.layout.VolumeLayout.alignUp;

import io.chimera.archive.streamfs.layout.Geometry;
import io.chimera.archive.streamfs.layout.RecordLayout;
import io.chimera.archive.streamfs.layout.SipHash;
import io.chimera.archive.streamfs.layout.VolumeFormat;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Scans a block on the device and trusts only certified data: either the first header alone, or all runs up to the
 * first incomplete run. Used by recoveries, on one thread.
 */
final class BlockScan {
    private final Geometry geometry;
    private final SipHash hash;
    private final int streams;
    private final CRC32C crc = new CRC32C();
    private final UnsafeBuffer buffer;

    /** Result of the scan of one block. */
    static final class Found {
        final Block block;
        final int slot;
        /** True when the map lists the block as full and durable. */
        boolean isTrusted;
        /** True when all runs were read and checked; false when only the first header was. */
        boolean isScanned;
        /** Number of whole runs. */
        int runs;
        /** MAC of the run before the block's first run. */
        long previousMac;

        long lastRecord;
        /** Offset of the next run. */
        int nextOffset;
        /** Greatest durable record count of the stream in any genuine header of the block. */
        long durable;
        /** True when a genuine header lies at or after the first incomplete run. */
        boolean isBroken;

        Found(Block block, int slot) {
            this.block = block;
            this.slot = slot;
        }
    }

    BlockScan(Geometry geometry, SipHash hash, int streams) {
        this.geometry = geometry;
        this.hash = hash;
        this.streams = streams;
        buffer = VolumeFormat.aligned(geometry.blockBytes, geometry.alignment);
    }

    /** Returns the buffer to read the block, or its first sector, into. */
    UnsafeBuffer buffer() {
        return buffer;
    }

    /** Decodes the header of the first run; returns null if no genuine header fits the slot. */
    @Nullable
    Found header(int slot) {
        if (!RunLayout.isGenuine(hash, buffer, 0, 0, geometry.blockBytes)
                || geometry.slot(RunLayout.position(buffer, 0)) != slot
                || RunLayout.stream(buffer, 0) >= streams) {
            return null;
        }
        Block block = new Block(
                RunLayout.stream(buffer, 0), RunLayout.block(buffer, 0), RunLayout.firstRecord(buffer, 0), false);
        block.position = RunLayout.position(buffer, 0);
        Found found = new Found(block, slot);
        found.previousMac = RunLayout.previousMac(buffer, 0);
        take(found, 0);
        return found;
    }

    /**
     * Decodes all whole runs. Returns null if the first header does not fit the slot. A result without runs means a
     * torn block.
     */
    @Nullable
    Found runs(int slot) {
        Found found = header(slot);
        if (found == null) {
            return null;
        }
        found.isScanned = true;
        found.runs = 0;
        found.nextOffset = 0;
        found.lastRecord = found.block.firstRecord - 1;
        found.block.end = 0;
        int at = 0;
        while (at + RUN_HEADER_LENGTH + RUN_TRAILER_LENGTH <= geometry.blockBytes && isNext(found, at) && isWhole(at)) {
            take(found, at);
            at += RunLayout.length(buffer, at);
        }
        lookBehind(found, at);
        return found;
    }

    /**
     * Searches the rest of the block for genuine headers. A durable count stays true even if earlier runs are damaged:
     * it proves their acknowledgement.
     */
    private void lookBehind(Found found, int from) {
        for (int at = from; at + RUN_HEADER_LENGTH <= geometry.blockBytes; at += geometry.alignment) {
            if (isOf(found.block, at)) {
                found.isBroken = true;
                found.durable = Math.max(found.durable, RunLayout.durable(buffer, at));
            }
        }
    }

    private void take(Found found, int at) {
        Block block = found.block;
        found.runs++;
        found.lastRecord = RunLayout.firstRecord(buffer, at) + RunLayout.records(buffer, at) - 1;
        found.nextOffset = at + RunLayout.length(buffer, at);
        found.durable = Math.max(found.durable, RunLayout.durable(buffer, at));
        block.timeMinNs = RunLayout.timeMinNs(buffer, at);
        block.timeMaxNs = RunLayout.timeMaxNs(buffer, at);
        block.lastMac = RunLayout.mac(buffer, at);
        block.end = RunLayout.end(buffer, at);
    }

    private boolean isNext(Found found, int at) {
        Block block = found.block;
        return isOf(block, at)
                && RunLayout.firstRecord(buffer, at) == found.lastRecord + 1
                && (at == 0 || RunLayout.previousMac(buffer, at) == block.lastMac);
    }

    private boolean isOf(Block block, int at) {
        return RunLayout.isGenuine(hash, buffer, at, at, geometry.blockBytes)
                && RunLayout.stream(buffer, at) == block.stream
                && RunLayout.block(buffer, at) == block.number
                && RunLayout.position(buffer, at) == block.position;
    }

    private boolean isWhole(int at) {
        int end = RunLayout.end(buffer, at);
        if (!RunLayout.hasTrailer(buffer, at)) {
            return false;
        }
        long number = RunLayout.firstRecord(buffer, at);
        long last = number + RunLayout.records(buffer, at) - 1;
        int record = at + RUN_HEADER_LENGTH;
        while (record < end) {
            if (!RecordLayout.isGenuine(
                            hash,
                            buffer,
                            record,
                            end,
                            RunLayout.stream(buffer, at),
                            RunLayout.block(buffer, at),
                            record)
                    || RecordLayout.number(buffer, record) != number
                    || !RecordLayout.isWhole(crc, buffer, record)) {
                return false;
            }
            number++;
            record += RecordLayout.stride(RecordLayout.length(buffer, record));
        }
        return number == last + 1
                && crcOfHeaders(crc, buffer, at + RUN_HEADER_LENGTH, end) == RunLayout.crc(buffer, at);
    }

    /** Returns the CRC of the headers of consecutive records; the headers must be genuine. */
    static int crcOfHeaders(CRC32C crc, DirectBuffer block, int from, int end) {
        crc.reset();
        var bytes = block.byteBuffer();
        int base = block.wrapAdjustment();
        int record = from;
        while (record < end) {
            bytes.limit(base + record + RECORD_HEADER_LENGTH).position(base + record);
            crc.update(bytes);
            record += RecordLayout.stride(RecordLayout.length(block, record));
        }
        bytes.clear();
        return (int) crc.getValue();
    }

    /** Returns true if the block has no room for another run after an offset. */
    static boolean isFull(Geometry geometry, int nextOffset) {
        int least = RUN_HEADER_LENGTH + RECORD_HEADER_LENGTH + 1 + RUN_TRAILER_LENGTH;
        return nextOffset + alignUp(least, geometry.alignment) > geometry.blockBytes;
    }
}
