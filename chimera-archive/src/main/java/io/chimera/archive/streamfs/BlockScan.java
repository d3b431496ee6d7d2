package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.VolumeLayout.RECORD_HEADER_LENGTH;
import static io.chimera.archive.streamfs.VolumeLayout.RUN_HEADER_LENGTH;
import static io.chimera.archive.streamfs.VolumeLayout.RUN_TRAILER_LENGTH;
import static io.chimera.archive.streamfs.VolumeLayout.alignUp;

import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Looks at a block as it is on the device and believes nothing that is not certified: its header alone, or all of its runs
 * up to the first that is not whole. For recoveries, of one thread.
 */
final class BlockScan {
    private final Geometry geometry;
    private final SipHash hash;
    private final int streams;
    private final CRC32C crc = new CRC32C();
    private final UnsafeBuffer buffer;

    /** What was found of a block. */
    static final class Found {
        final Block block;
        final int slot;
        /** The map says that it was full and durable. */
        boolean isTrusted;
        /** Its runs were read and checked, not just its first header. */
        boolean isScanned;
        /** Runs that are whole. */
        int runs;
        /** MAC of the run before its first. */
        long previousMac;

        long lastRecord;
        /** Where the next run would begin. */
        int nextOffset;
        /** So many records of the stream were durable, as any genuine header of the block says. */
        long durable;
        /** A genuine header lies where a run is not whole, or behind it. */
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

    /** Where a block, or the start of one, is to be read to. */
    UnsafeBuffer buffer() {
        return buffer;
    }

    /** What the header of the first run says; null when there is none that fits the slot. */
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

    /** What all runs say; null when not even the first header fits the slot. No runs: it is torn. */
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

    /** What was durable stays true, whatever became of the runs before: it tells that they were acknowledged. */
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

    /** CRC of the headers of records that lie one behind the other; they must be genuine. */
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

    /** Whether a block has no room for one more run behind an offset. */
    static boolean isFull(Geometry geometry, int nextOffset) {
        int least = RUN_HEADER_LENGTH + RECORD_HEADER_LENGTH + 1 + RUN_TRAILER_LENGTH;
        return nextOffset + alignUp(least, geometry.alignment) > geometry.blockBytes;
    }
}
