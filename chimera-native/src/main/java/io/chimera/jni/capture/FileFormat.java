package io.chimera.jni.capture;

import io.chimera.api.HotPath;

/**
 * How the records of a capture file are laid out. A format reads where it is told, and keeps what the last record said. It
 * does not throw for a damaged record: the packets ahead of it come first. All numbers of a file are unsigned.
 */
abstract class FileFormat {

    /** No network has longer packets; a longer one is a sign that the file is damaged. */
    static final int PACKET_BYTES_MAX = CaptureOptions.SNAP_LENGTH_MAX;

    private static final int ERRNO_INVALID = 22;

    final MappedFile file;

    private String failure = "";
    private long packets;
    long timestampNs;
    long dataPosition;
    int captured;
    int length;

    FileFormat(MappedFile file) {
        this.file = file;
    }

    /** The format that the first bytes of a file tell. */
    static FileFormat of(MappedFile file) {
        if (file.size() < Integer.BYTES) {
            throw new CaptureException(
                    file.name() + ": is no capture file: it has " + file.size() + " bytes", ERRNO_INVALID);
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
                        "%s: is neither pcap nor pcapng: it begins with 0x%08x (a packed file has to be unpacked first)",
                        file.name(), magic),
                ERRNO_INVALID);
    }

    /** Reads what stands ahead of the first packet; returns where the records begin. */
    abstract long open();

    /** How many bytes of a record tell how long it is. */
    @HotPath
    abstract int headerBytes();

    /** The length of the record whose header is mapped at a position, or -1 and {@link #failed}. */
    @HotPath
    abstract int recordBytes(long position);

    /** Reads a record, all of which is mapped; false when it holds no packet, or {@link #failed}. */
    @HotPath
    abstract boolean read(long position, int recordBytes);

    /** Whether what {@link #read} passed over was a packet that cannot be used. */
    @HotPath
    abstract boolean isInvalid();

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

    /** The packet that was read last is done with. */
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

    final int failTooLong(long position, int bytes) {
        return fail(
                position,
                "says " + Integer.toUnsignedLong(bytes) + " bytes, more than any packet has: the file is damaged");
    }

    /** Maps so many bytes ahead of the first packet. */
    final void require(long position, int bytes) {
        if (bytes > file.size() - position) {
            cutOff(position, bytes);
            throw failure();
        }
        if (!file.holds(position, bytes)) {
            file.moveTo(position);
        }
    }

    /** The file ends within a record. */
    final void cutOff(long position, long wanted) {
        fail(
                position,
                "needs " + wanted + " bytes, of which " + (file.size() - position)
                        + " are there: the file was cut off");
    }

    final int fail(long position, String what) {
        failure = file.name() + ": the record at offset " + position + ", behind packet " + packets + ", " + what;
        return -1;
    }
}
