package io.chimera.jni.capture;

import io.chimera.api.HotPath;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Classic pcap format, in the writer's byte order:
 *
 * <pre>
 *   file:    magic u32, major u16, minor u16, zone i32, accuracy u32, snap length u32, link type u16, flags u16
 *   record:  seconds u32, fraction u32 (µs or ns, by the magic), captured u32, length u32, then the captured bytes
 * </pre>
 */
final class PcapFormat extends FileFormat {

    static final int MAGIC_MICROSECONDS = 0xA1B2C3D4;
    static final int MAGIC_NANOSECONDS = 0xA1B23C4D;
    static final int FILE_HEADER_BYTES = 24;
    static final int RECORD_HEADER_BYTES = 16;

    private static final int LINK_TYPE = 20;
    private static final int LINK_TYPE_MASK = 0xFFFF;
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final ByteOrder order;
    private final long nsPerFraction;
    private int linkType;

    /**
     * Creates a reader for a file.
     *
     * @param magic magic number in native byte order
     */
    PcapFormat(CaptureBytes file, int magic) {
        super(file);
        boolean ours = magic == MAGIC_MICROSECONDS || magic == MAGIC_NANOSECONDS;
        order = ours ? ByteOrder.nativeOrder() : other(ByteOrder.nativeOrder());
        nsPerFraction = (ours ? magic : Integer.reverseBytes(magic)) == MAGIC_NANOSECONDS ? 1 : 1000;
    }

    static boolean isMagic(int magic) {
        int other = Integer.reverseBytes(magic);
        return magic == MAGIC_MICROSECONDS
                || magic == MAGIC_NANOSECONDS
                || other == MAGIC_MICROSECONDS
                || other == MAGIC_NANOSECONDS;
    }

    static ByteOrder other(ByteOrder order) {
        return order == ByteOrder.LITTLE_ENDIAN ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    }

    @Override
    long open() {
        require(0, FILE_HEADER_BYTES);
        linkType = file.window().getInt(LINK_TYPE, order) & LINK_TYPE_MASK;
        return FILE_HEADER_BYTES;
    }

    @Override
    @HotPath
    int headerBytes() {
        return RECORD_HEADER_BYTES;
    }

    @Override
    @HotPath
    int recordBytes(long position) {
        int bytes = file.window().getInt(file.index(position) + 8, order);
        return Integer.compareUnsigned(bytes, PACKET_BYTES_MAX) > 0
                ? failTooLong(position, bytes)
                : RECORD_HEADER_BYTES + bytes;
    }

    @Override
    @HotPath
    boolean read(long position, int recordBytes) {
        UnsafeBuffer window = file.window();
        int at = file.index(position);
        long seconds = window.getInt(at, order) & 0xFFFF_FFFFL;
        long fraction = window.getInt(at + 4, order) & 0xFFFF_FFFFL;
        timestampNs = seconds * NS_PER_SECOND + fraction * nsPerFraction;
        captured = recordBytes - RECORD_HEADER_BYTES;
        length = window.getInt(at + 12, order);
        dataPosition = position + RECORD_HEADER_BYTES;
        return true;
    }

    @Override
    @HotPath
    boolean isInvalid() {
        return false;
    }

    @Override
    @HotPath
    boolean isTimed() {
        return true;
    }

    @Override
    @HotPath
    boolean isDefinition() {
        return false;
    }

    /** {@inheritDoc} The length on the wire is never 0: a run of zero bytes is no run of records. */
    @Override
    @HotPath
    int likelyBytes(long position) {
        UnsafeBuffer window = file.window();
        int at = file.index(position);
        int bytes = window.getInt(at + 8, order);
        int onWire = window.getInt(at + 12, order);
        long fraction = window.getInt(at + 4, order) & 0xFFFF_FFFFL;
        boolean isLikely = bytes >= 0
                && bytes <= onWire
                && onWire > 0
                && onWire <= PACKET_BYTES_MAX
                && fraction * nsPerFraction < NS_PER_SECOND;
        return isLikely ? RECORD_HEADER_BYTES + bytes : 0;
    }

    @Override
    @HotPath
    boolean isLikelyWhole(long position, int recordBytes) {
        return true;
    }

    @Override
    int linkType() {
        return linkType;
    }
}
