package io.chimera.jni.capture;

import io.chimera.api.HotPath;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads the records of a pcap or pcapng capture that arrives in pieces. The caller shows a part of the capture through
 * {@link #wrap}, asks for the length of a record, shows the whole record, and reads the record. A record is a packet or
 * another block of pcapng. Positions are offsets in the capture. One thread; allocates nothing per record.
 *
 * <p>A damaged record causes no exception, but {@link #failed}. Also recognizes positions that look like records, for a
 * search in the middle of a capture.
 */
public final class CaptureRecords {
    /** Number of bytes at the beginning of a capture that are needed to recognize the format. */
    public static final int BEGINNING_BYTES = PcapFormat.FILE_HEADER_BYTES;

    /** Maximum length of the block around a packet, and of a block that a search recognizes. */
    public static final int LIKELY_BYTES_MAX = 1 << 20;

    private static final int ERRNO_INVALID = 22;

    private final Shown shown;
    private final FileFormat format;
    private final long first;

    /** The part of the capture that the caller shows. */
    private static final class Shown implements CaptureBytes {
        private final String name;
        private final UnsafeBuffer window = new UnsafeBuffer(0, 0);
        private long position;
        private long size = Long.MAX_VALUE;

        Shown(String name) {
            this.name = name;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        @HotPath
        public long size() {
            return size;
        }

        @Override
        @HotPath
        public UnsafeBuffer window() {
            return window;
        }

        @Override
        @HotPath
        public int index(long of) {
            return (int) (of - position);
        }

        @Override
        @HotPath
        public boolean holds(long of, int bytes) {
            return of >= position && of + bytes <= position + window.capacity();
        }

        @Override
        public void moveTo(long of) {
            throw new IllegalStateException("offset " + of + " of " + name + " is not shown");
        }
    }

    private CaptureRecords(Shown shown) {
        this.shown = shown;
        format = FileFormat.of(shown);
        first = format instanceof PcapFormat ? format.open() : 0;
    }

    /**
     * Recognizes the format of a capture.
     *
     * @param name name of the capture, for messages
     * @param bytes array with the beginning of the capture
     * @param length number of bytes at the beginning of the array: {@link #BEGINNING_BYTES}, or all bytes of a shorter
     *     capture
     * @throws CaptureException when the capture is neither pcap nor pcapng, or too short
     */
    public static CaptureRecords of(String name, byte[] bytes, int length) {
        if (length < BEGINNING_BYTES) {
            throw new CaptureException(name + ": is not a capture: it has " + length + " bytes", ERRNO_INVALID);
        }
        Shown shown = new Shown(name);
        shown.window.wrap(bytes, 0, length);
        return new CaptureRecords(shown);
    }

    /** Returns the position of the first record. */
    public long first() {
        return first;
    }

    /**
     * Shows a part of the capture; valid until the next call.
     *
     * @param bytes array with the part
     * @param length number of bytes from index 0 on
     * @param position position of the first byte in the capture
     */
    @HotPath
    public void wrap(byte[] bytes, int length, long position) {
        shown.window.wrap(bytes, 0, length);
        shown.position = position;
    }

    /** Returns the number of bytes of a record that {@link #recordBytes} and {@link #likelyBytes} need. */
    @HotPath
    public int headerBytes() {
        return format.headerBytes();
    }

    /** Returns the length of the record at a position whose header is shown, or -1 with {@link #failed}. */
    @HotPath
    public int recordBytes(long position) {
        return format.recordBytes(position);
    }

    /**
     * Reads a record that is shown as a whole.
     *
     * @return whether the record is a packet; false also with {@link #failed}
     */
    @HotPath
    public boolean read(long position, int recordBytes) {
        boolean isPacket = format.read(position, recordBytes);
        if (isPacket) {
            format.passed();
        }
        return isPacket;
    }

    /** Returns whether the last record was a packet that cannot be used: its link type is not the first one. */
    @HotPath
    public boolean isInvalid() {
        return format.isInvalid();
    }

    /** Returns whether the last record defines how further packets are read: a section or an interface. */
    @HotPath
    public boolean isDefinition() {
        return format.isDefinition();
    }

    /** Returns whether a record is damaged; {@link #failure} describes the damage. */
    @HotPath
    public boolean failed() {
        return format.failed();
    }

    /** Returns the damage, and forgets it. */
    public CaptureException failure() {
        return format.failure();
    }

    /**
     * Returns the length of a record at a position, if the header there looks like the header of a record. Only after
     * the beginning of the capture was read, up to the first packet.
     *
     * @param position position whose {@link #headerBytes} are shown
     * @return length in bytes, at most {@link #LIKELY_BYTES_MAX}; 0 for other bytes
     */
    @HotPath
    public int likelyBytes(long position) {
        return format.likelyBytes(position);
    }

    /** Returns whether a record that is shown as a whole also ends like a record. */
    @HotPath
    public boolean isLikelyWhole(long position, int recordBytes) {
        return format.isLikelyWhole(position, recordBytes);
    }

    /** Returns the link type of the packets, with the numbers of pcap files; -1 before the first interface. */
    public int linkType() {
        return format.linkType();
    }

    /** Returns whether the last packet has a time of its own; otherwise {@link #timeNs} is an earlier time. */
    @HotPath
    public boolean isTimed() {
        return format.isTimed();
    }

    /** Returns the time of the last packet, nanoseconds since 1970. */
    @HotPath
    public long timeNs() {
        return format.timestampNs();
    }

    /** Returns the position of the bytes of the last packet. */
    @HotPath
    public long dataPosition() {
        return format.dataPosition();
    }

    /** Returns the number of captured bytes of the last packet. */
    @HotPath
    public int captured() {
        return format.captured();
    }

    /** Returns the length of the last packet on the wire, an unsigned number of bytes. */
    @HotPath
    public int length() {
        return format.length();
    }
}
