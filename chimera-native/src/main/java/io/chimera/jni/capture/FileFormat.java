package io.chimera.jni.capture;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;

/**
 * Layout of the records of a capture file. A format reads at given positions and keeps the values of the last record. A
 * damaged record causes no exception, because the packets before the damage are returned first. All numbers in a file
 * are unsigned.
 */
abstract class FileFormat {

    /** Maximum packet size of any network; a longer packet indicates a damaged file. */
    static final int PACKET_BYTES_MAX = CaptureOptions.SNAP_LENGTH_MAX;

    private static final int ERRNO_INVALID = 22;

    final CaptureBytes file;

    private String failure = "";
    private long packets;
    long timestampNs;
    long dataPosition;
    int captured;
    int length;

    FileFormat(CaptureBytes file) {
        this.file = file;
    }

    /** Detects the format by the first bytes of a file. */
    static FileFormat of(CaptureBytes file) {
        if (file.size() < Integer.BYTES) {
            throw new CaptureException(
                    file.name() + ": is not a capture file: it has " + file.size() + " bytes", ERRNO_INVALID);
        }
        int magic = file.window().getInt(0);
        if (PcapFormat.isMagic(magic)) {
            return new PcapFormat(file, magic);
        }
        if (magic == PcapngFormat.BLOCK_SECTION) {
            return new PcapngFormat(file);
        }
        throw new CaptureException(
                String.format(
                        "%s: is neither pcap nor pcapng: it begins with 0x%08x (decompress a compressed file first)",
                        file.name(), magic),
                ERRNO_INVALID);
    }

    /** Reads the file header; returns the offset of the first record. */
    abstract long open();

    /** Bytes of a record needed to determine the record's length. */
    @HotPath
    abstract int headerBytes();

    /** Returns the length of the record with the mapped header at a position, or -1 with {@link #failed} set. */
    @HotPath
    abstract int recordBytes(long position);

    /** Reads a completely mapped record; false for a record without a packet, or with {@link #failed} set. */
    @HotPath
    abstract boolean read(long position, int recordBytes);

    /** Whether the record skipped by {@link #read} was an unusable packet. */
    @HotPath
    abstract boolean isInvalid();

    /** Whether the last packet has a time of its own. */
    @HotPath
    abstract boolean isTimed();

    /** Whether the last record defines how further packets are read. */
    @HotPath
    abstract boolean isDefinition();

    /**
     * Returns the length of a record at a position with a mapped header, if the header looks like the header of a
     * record; 0 for other bytes. Sets no failure.
     */
    @HotPath
    abstract int likelyBytes(long position);

    /** Whether a completely mapped record with a likely header also ends like a record. */
    @HotPath
    abstract boolean isLikelyWhole(long position, int recordBytes);

    abstract int linkType();

    @HotPath
    final long timestampNs() {
        return timestampNs;
    }

    @HotPath
    final long dataPosition() {
        return dataPosition;
    }

    @HotPath
    final int captured() {
        return captured;
    }

    @HotPath
    final int length() {
        return length;
    }

    @HotPath
    final boolean failed() {
        return !failure.isEmpty();
    }

    /** Marks the last packet as processed. */
    @HotPath
    final void passed() {
        packets++;
    }

    final void forgetFailure() {
        failure = "";
    }

    final CaptureException failure() {
        String message = failure;
        failure = "";
        return new CaptureException(message, ERRNO_INVALID);
    }

    @ColdPath
    final int failTooLong(long position, int bytes) {
        return fail(
                position,
                "says " + Integer.toUnsignedLong(bytes) + " bytes, more than any packet has: the file is damaged");
    }

    /** Maps bytes of the file header. */
    final void require(long position, int bytes) {
        if (bytes > file.size() - position) {
            cutOff(position, bytes);
            throw failure();
        }
        if (!file.holds(position, bytes)) {
            file.moveTo(position);
        }
    }

    /** Reports the end of the file within a record. */
    @ColdPath
    final void cutOff(long position, long wanted) {
        fail(
                position,
                "needs " + wanted + " bytes, of which " + (file.size() - position)
                        + " are there: the file was cut off");
    }

    @ColdPath
    final int fail(long position, String what) {
        failure = file.name() + ": the record at offset " + position + ", after packet " + packets + ", " + what;
        return -1;
    }
}
