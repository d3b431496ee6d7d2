package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.layout.VolumeLayout.RUN_HEADER_LENGTH;
import static io.chimera.archive.streamfs.layout.VolumeLayout.RUN_MAGIC;
import static io.chimera.archive.streamfs.layout.VolumeLayout.RUN_TRAILER_LENGTH;
import static io.chimera.archive.streamfs.layout.VolumeLayout.TRAILER_MAGIC;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.archive.streamfs.layout.SipHash;
import io.chimera.archive.streamfs.layout.VolumeLayout;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Layout of the header and trailer of a run, drawn in {@link VolumeLayout}. */
final class RunLayout {
    private static final int STREAM = 8;
    private static final int EPOCH = 12;
    private static final int BLOCK = 16;
    private static final int POSITION = 24;
    private static final int OFFSET = 32;
    private static final int LENGTH = 36;
    private static final int FIRST_RECORD = 40;
    private static final int RECORDS = 48;
    private static final int END = 52;
    private static final int TIME_MIN = 56;
    private static final int TIME_MAX = 64;
    private static final int DURABLE = 72;
    private static final int PREVIOUS_MAC = 80;
    private static final int CRC = 88;
    private static final int MAC = 96;
    private static final int MAC_WORDS = 12;
    private static final int TRAILER_EPOCH = 8;
    private static final int TRAILER_CRC = 12;
    private static final int TRAILER_BLOCK = 16;
    private static final int TRAILER_MAC = 24;

    private RunLayout() {}

    /**
     * Seals a run: writes header and trailer around its records.
     *
     * @param buffer memory of the block
     * @return the MAC
     */
    static long seal(SipHash hash, MutableDirectBuffer buffer, Run run, int epoch, long durable, long previousMac) {
        Block block = run.block;
        int at = run.offset;
        buffer.setMemory(at, RUN_HEADER_LENGTH, (byte) 0);
        buffer.putLong(at, RUN_MAGIC, LITTLE_ENDIAN);
        buffer.putInt(at + STREAM, block.stream, LITTLE_ENDIAN);
        buffer.putInt(at + EPOCH, epoch, LITTLE_ENDIAN);
        buffer.putLong(at + BLOCK, block.number, LITTLE_ENDIAN);
        buffer.putLong(at + POSITION, block.position, LITTLE_ENDIAN);
        buffer.putInt(at + OFFSET, run.offset, LITTLE_ENDIAN);
        buffer.putInt(at + LENGTH, run.length, LITTLE_ENDIAN);
        buffer.putLong(at + FIRST_RECORD, run.firstRecord, LITTLE_ENDIAN);
        buffer.putInt(at + RECORDS, run.records, LITTLE_ENDIAN);
        buffer.putInt(at + END, run.end, LITTLE_ENDIAN);
        buffer.putLong(at + TIME_MIN, run.timeMinNs, LITTLE_ENDIAN);
        buffer.putLong(at + TIME_MAX, run.timeMaxNs, LITTLE_ENDIAN);
        buffer.putLong(at + DURABLE, durable, LITTLE_ENDIAN);
        buffer.putLong(at + PREVIOUS_MAC, previousMac, LITTLE_ENDIAN);
        buffer.putInt(at + CRC, run.crc, LITTLE_ENDIAN);
        long mac = hash.of(buffer, at, MAC_WORDS, 0, 0);
        buffer.putLong(at + MAC, mac, LITTLE_ENDIAN);
        int trailer = run.offset + run.length - RUN_TRAILER_LENGTH;
        buffer.setMemory(run.end, trailer - run.end, (byte) 0);
        buffer.putLong(trailer, TRAILER_MAGIC, LITTLE_ENDIAN);
        buffer.putInt(trailer + TRAILER_EPOCH, epoch, LITTLE_ENDIAN);
        buffer.putInt(trailer + TRAILER_CRC, run.crc, LITTLE_ENDIAN);
        buffer.putLong(trailer + TRAILER_BLOCK, block.number, LITTLE_ENDIAN);
        buffer.putLong(trailer + TRAILER_MAC, mac, LITTLE_ENDIAN);
        return mac;
    }

    /**
     * Returns true if a header is genuine and fits its place. Does not check the records.
     *
     * @param at index in the buffer
     * @param offset in the block
     * @param blockBytes block size of the volume
     */
    static boolean isGenuine(SipHash hash, DirectBuffer buffer, int at, int offset, int blockBytes) {
        return buffer.getLong(at, LITTLE_ENDIAN) == RUN_MAGIC
                && mac(buffer, at) == hash.of(buffer, at, MAC_WORDS, 0, 0)
                && buffer.getInt(at + OFFSET, LITTLE_ENDIAN) == offset
                && length(buffer, at) >= RUN_HEADER_LENGTH + RUN_TRAILER_LENGTH
                && length(buffer, at) <= blockBytes - offset
                && end(buffer, at) >= offset + RUN_HEADER_LENGTH
                && end(buffer, at) <= offset + length(buffer, at) - RUN_TRAILER_LENGTH;
    }

    /** Returns true if the trailer matches the run's genuine header. */
    static boolean hasTrailer(DirectBuffer buffer, int at) {
        int trailer = at + length(buffer, at) - RUN_TRAILER_LENGTH;
        return buffer.getLong(trailer, LITTLE_ENDIAN) == TRAILER_MAGIC
                && buffer.getLong(trailer + TRAILER_MAC, LITTLE_ENDIAN) == mac(buffer, at)
                && buffer.getLong(trailer + TRAILER_BLOCK, LITTLE_ENDIAN) == block(buffer, at)
                && buffer.getInt(trailer + TRAILER_CRC, LITTLE_ENDIAN) == crc(buffer, at)
                && buffer.getInt(trailer + TRAILER_EPOCH, LITTLE_ENDIAN) == buffer.getInt(at + EPOCH, LITTLE_ENDIAN);
    }

    static int stream(DirectBuffer buffer, int at) {
        return buffer.getInt(at + STREAM, LITTLE_ENDIAN);
    }

    static int epoch(DirectBuffer buffer, int at) {
        return buffer.getInt(at + EPOCH, LITTLE_ENDIAN);
    }

    static long block(DirectBuffer buffer, int at) {
        return buffer.getLong(at + BLOCK, LITTLE_ENDIAN);
    }

    static long position(DirectBuffer buffer, int at) {
        return buffer.getLong(at + POSITION, LITTLE_ENDIAN);
    }

    static int length(DirectBuffer buffer, int at) {
        return buffer.getInt(at + LENGTH, LITTLE_ENDIAN);
    }

    static long firstRecord(DirectBuffer buffer, int at) {
        return buffer.getLong(at + FIRST_RECORD, LITTLE_ENDIAN);
    }

    static int records(DirectBuffer buffer, int at) {
        return buffer.getInt(at + RECORDS, LITTLE_ENDIAN);
    }

    static int end(DirectBuffer buffer, int at) {
        return buffer.getInt(at + END, LITTLE_ENDIAN);
    }

    static long timeMinNs(DirectBuffer buffer, int at) {
        return buffer.getLong(at + TIME_MIN, LITTLE_ENDIAN);
    }

    static long timeMaxNs(DirectBuffer buffer, int at) {
        return buffer.getLong(at + TIME_MAX, LITTLE_ENDIAN);
    }

    static long durable(DirectBuffer buffer, int at) {
        return buffer.getLong(at + DURABLE, LITTLE_ENDIAN);
    }

    static long previousMac(DirectBuffer buffer, int at) {
        return buffer.getLong(at + PREVIOUS_MAC, LITTLE_ENDIAN);
    }

    static int crc(DirectBuffer buffer, int at) {
        return buffer.getInt(at + CRC, LITTLE_ENDIAN);
    }

    static long mac(DirectBuffer buffer, int at) {
        return buffer.getLong(at + MAC, LITTLE_ENDIAN);
    }
}
