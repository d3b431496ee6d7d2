package io.chimera.jni.capture;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import java.nio.ByteOrder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Pcapng format, a sequence of blocks, each in the byte order of its section. Options are (code u16, length u16, value
 * padded to 4) and end with code 0 or with the block:
 *
 * <pre>
 *   type u32, total u32, body, total u32
 *     section 0x0A0D0D0A    magic u32, major u16, minor u16, length i64, options
 *     interface 1           link type u16, reserved u16, snap length u32, options
 *     packet 2 (obsolete)   interface u16, drops u16, time high u32, time low u32, captured u32, length u32, bytes
 *     simple packet 3       length u32, bytes
 *     enhanced packet 6     interface u32, time high u32, time low u32, captured u32, length u32, bytes, options
 * </pre>
 *
 * <p>Skips blocks of other types, and packets whose link type differs from the first interface.
 */
final class PcapngFormat extends FileFormat {

    static final int BLOCK_SECTION = 0x0A0D0D0A;

    private static final int BLOCK_INTERFACE = 1;
    private static final int BLOCK_PACKET = 2;
    private static final int BLOCK_SIMPLE_PACKET = 3;
    private static final int BLOCK_NAMES = 4;
    private static final int BLOCK_STATISTICS = 5;
    private static final int BLOCK_ENHANCED_PACKET = 6;
    private static final int BLOCK_SECRETS = 10;
    private static final int BLOCK_CUSTOM = 0x0BAD;
    private static final int BLOCK_CUSTOM_NOT_COPIED = 0x4000_0BAD;
    private static final int BLOCK_HEADER = 8;
    private static final int BLOCK_BYTES_MIN = 12;
    /** Block size limit; a longer block indicates damage, because secrets and name tables are far smaller. */
    private static final int BLOCK_BYTES_MAX = 64 * 1024 * 1024;

    private static final int BYTE_ORDER_MAGIC = 0x1A2B3C4D;
    private static final int OPTION_END = 0;
    private static final int OPTION_RESOLUTION = 9;
    private static final int OPTION_OFFSET = 14;
    private static final int RESOLUTION_BINARY = 0x80;
    private static final int RESOLUTION_MICROSECONDS = 6;
    private static final int INTERFACES_MAX = 1024;
    private static final int LINK_TYPE_UNKNOWN = -1;
    private static final int LINK_TYPE_ETHERNET = 1;
    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final String DAMAGED = ": the file is damaged";

    private final int[] linkTypes = new int[INTERFACES_MAX];
    private final int[] snapLengths = new int[INTERFACES_MAX];
    private final int[] resolutions = new int[INTERFACES_MAX];
    private final long[] offsetsNs = new long[INTERFACES_MAX];
    private int interfaces;
    private int linkType = LINK_TYPE_UNKNOWN;
    private ByteOrder order = ByteOrder.nativeOrder();
    private boolean isInvalid;
    private boolean isDefinition;
    private boolean isTimed;

    PcapngFormat(CaptureBytes file) {
        super(file);
    }

    /** Reads up to the first interface, which defines the link type. */
    @Override
    long open() {
        long position = 0;
        while (linkType == LINK_TYPE_UNKNOWN && position < file.size()) {
            require(position, headerBytes());
            int bytes = recordBytes(position);
            if (bytes > 0) {
                require(position, bytes);
                read(position, bytes);
            }
            if (failed()) {
                throw failure();
            }
            position += bytes;
        }
        if (linkType == LINK_TYPE_UNKNOWN) {
            linkType = LINK_TYPE_ETHERNET;
        }
        return position;
    }

    @Override
    int linkType() {
        return linkType;
    }

    @Override
    @HotPath
    int headerBytes() {
        return BLOCK_BYTES_MIN;
    }

    @Override
    @HotPath
    int recordBytes(long position) {
        UnsafeBuffer window = file.window();
        int at = file.index(position);
        if (window.getInt(at, order) == BLOCK_SECTION && !beginSection(position, window.getInt(at + BLOCK_HEADER))) {
            return -1;
        }
        int total = window.getInt(at + 4, order);
        boolean fits = Integer.compareUnsigned(total, BLOCK_BYTES_MIN) >= 0
                && Integer.compareUnsigned(total, BLOCK_BYTES_MAX) <= 0
                && total % 4 == 0;
        return fits ? total : failBytes(position, total);
    }

    @ColdPath
    private int failBytes(long position, int total) {
        return fail(
                position, "says that it has " + Integer.toUnsignedLong(total) + " bytes, which no block has" + DAMAGED);
    }

    /** Starts a new section with its own byte order and interfaces. */
    private boolean beginSection(long position, int magic) {
        if (magic != BYTE_ORDER_MAGIC && Integer.reverseBytes(magic) != BYTE_ORDER_MAGIC) {
            fail(position, "begins a section without its magic number" + DAMAGED);
            return false;
        }
        order = magic == BYTE_ORDER_MAGIC ? ByteOrder.nativeOrder() : PcapFormat.other(ByteOrder.nativeOrder());
        interfaces = 0;
        return true;
    }

    @Override
    @HotPath
    boolean read(long position, int recordBytes) {
        UnsafeBuffer window = file.window();
        int at = file.index(position);
        isInvalid = false;
        isDefinition = false;
        isTimed = true;
        if (window.getInt(at + recordBytes - 4, order) != recordBytes) {
            fail(position, "says two lengths, one at the start and one at the end" + DAMAGED);
            return false;
        }
        int bodyBytes = recordBytes - BLOCK_BYTES_MIN;
        return switch (window.getInt(at, order)) {
            case BLOCK_SECTION -> readSection(position, bodyBytes);
            case BLOCK_INTERFACE -> readInterface(position, at + BLOCK_HEADER, bodyBytes);
            case BLOCK_PACKET -> readPacket(position, true, bodyBytes);
            case BLOCK_SIMPLE_PACKET -> readSimplePacket(position, bodyBytes);
            case BLOCK_ENHANCED_PACKET -> readPacket(position, false, bodyBytes);
            default -> false;
        };
    }

    @Override
    @HotPath
    boolean isInvalid() {
        return isInvalid;
    }

    @Override
    @HotPath
    boolean isTimed() {
        return isTimed;
    }

    @Override
    @HotPath
    boolean isDefinition() {
        return isDefinition;
    }

    /** {@inheritDoc} Knows the types of blocks that common tools write. */
    @Override
    @HotPath
    int likelyBytes(long position) {
        UnsafeBuffer window = file.window();
        int at = file.index(position);
        int total = window.getInt(at + 4, order);
        boolean isLikely = total >= BLOCK_BYTES_MIN && total <= CaptureRecords.LIKELY_BYTES_MAX && total % 4 == 0;
        if (isLikely) {
            isLikely = switch (window.getInt(at, order)) {
                case BLOCK_SECTION -> window.getInt(at + BLOCK_HEADER, order) == BYTE_ORDER_MAGIC;
                case BLOCK_ENHANCED_PACKET ->
                    Integer.compareUnsigned(window.getInt(at + BLOCK_HEADER, order), interfaces) < 0;
                case BLOCK_INTERFACE,
                        BLOCK_PACKET,
                        BLOCK_SIMPLE_PACKET,
                        BLOCK_NAMES,
                        BLOCK_STATISTICS,
                        BLOCK_SECRETS,
                        BLOCK_CUSTOM,
                        BLOCK_CUSTOM_NOT_COPIED -> true;
                default -> false;
            };
        }
        return isLikely ? total : 0;
    }

    @Override
    @HotPath
    boolean isLikelyWhole(long position, int recordBytes) {
        return file.window().getInt(file.index(position) + recordBytes - 4, order) == recordBytes;
    }

    @ColdPath
    private boolean readSection(long position, int bytes) {
        isDefinition = true;
        if (bytes < 16) {
            fail(position, "is too short for a section" + DAMAGED);
            return false;
        }
        int major = u16(file.index(position) + BLOCK_HEADER + 4);
        if (major != 1) {
            fail(position, "begins a section of pcapng " + major + ", but only 1 is supported");
        }
        return false;
    }

    private boolean readInterface(long position, int body, int bytes) {
        isDefinition = true;
        if (bytes < 8) {
            fail(position, "is too short for an interface" + DAMAGED);
            return false;
        }
        if (interfaces == INTERFACES_MAX) {
            fail(position, "exceeds the limit of " + INTERFACES_MAX + " interfaces per section");
            return false;
        }
        linkTypes[interfaces] = u16(body);
        snapLengths[interfaces] = file.window().getInt(body + 4, order);
        resolutions[interfaces] = RESOLUTION_MICROSECONDS;
        offsetsNs[interfaces] = 0;
        if (!readOptions(position, body + 8, body + bytes)) {
            return false;
        }
        if (linkType == LINK_TYPE_UNKNOWN) {
            linkType = linkTypes[interfaces];
        }
        interfaces++;
        return false;
    }

    /** Reads the options of the current interface; false when damaged. */
    private boolean readOptions(long position, int begin, int end) {
        int at = begin;
        while (end - at >= 4) {
            int code = u16(at);
            int bytes = u16(at + 2);
            at += 4;
            if (code == OPTION_END) {
                return true;
            }
            if (bytes > end - at) {
                fail(position, "has an option that is longer than its block" + DAMAGED);
                return false;
            }
            if (!readOption(position, code, at, bytes)) {
                return false;
            }
            at += Math.min((bytes + 3) & ~3, end - at);
        }
        return true;
    }

    @ColdPath
    private boolean readOption(long position, int code, int at, int bytes) {
        if (code == OPTION_RESOLUTION) {
            if (bytes != 1) {
                fail(position, "has a time resolution of " + bytes + " bytes" + DAMAGED);
                return false;
            }
            resolutions[interfaces] = file.window().getByte(at) & 0xFF;
        } else if (code == OPTION_OFFSET) {
            if (bytes != 8) {
                fail(position, "has a time offset of " + bytes + " bytes" + DAMAGED);
                return false;
            }
            offsetsNs[interfaces] = file.window().getLong(at, order) * NS_PER_SECOND;
        }
        return true;
    }

    @HotPath
    private boolean readPacket(long position, boolean isObsolete, int bodyBytes) {
        if (bodyBytes < 20) {
            fail(position, "is too short for a packet" + DAMAGED);
            return false;
        }
        UnsafeBuffer window = file.window();
        int body = file.index(position) + BLOCK_HEADER;
        int number = isObsolete ? u16(body) : window.getInt(body, order);
        if (Integer.compareUnsigned(number, interfaces) >= 0) {
            failInterface(position, number);
            return false;
        }
        int bytes = window.getInt(body + 12, order);
        if (Integer.compareUnsigned(bytes, PACKET_BYTES_MAX) > 0) {
            failTooLong(position, bytes);
            return false;
        }
        if (bytes > bodyBytes - 20) {
            fail(position, "holds a packet that is longer than its block" + DAMAGED);
            return false;
        }
        long time = ((window.getInt(body + 4, order) & 0xFFFF_FFFFL) << 32)
                | (window.getInt(body + 8, order) & 0xFFFF_FFFFL);
        timestampNs = nanoseconds(time, resolutions[number]) + offsetsNs[number];
        captured = bytes;
        length = window.getInt(body + 16, order);
        dataPosition = position + BLOCK_HEADER + 20;
        return isOfLinkType(number);
    }

    @ColdPath
    private void failInterface(long position, int number) {
        fail(
                position,
                "is a packet of interface " + Integer.toUnsignedLong(number) + ", and the section has " + interfaces
                        + DAMAGED);
    }

    /** Reads a packet without a timestamp; the previous packet's timestamp is kept. */
    @HotPath
    private boolean readSimplePacket(long position, int bodyBytes) {
        isTimed = false;
        if (bodyBytes < 4 || interfaces == 0) {
            fail(position, "is a packet without a length or an interface" + DAMAGED);
            return false;
        }
        length = file.window().getInt(file.index(position) + BLOCK_HEADER, order);
        captured = Integer.compareUnsigned(length, bodyBytes - 4) < 0 ? length : bodyBytes - 4;
        if (snapLengths[0] != 0 && Integer.compareUnsigned(captured, snapLengths[0]) > 0) {
            captured = snapLengths[0];
        }
        if (captured > PACKET_BYTES_MAX) {
            failTooLong(position, captured);
            return false;
        }
        dataPosition = position + BLOCK_HEADER + 4;
        return isOfLinkType(0);
    }

    @HotPath
    private boolean isOfLinkType(int number) {
        isInvalid = linkTypes[number] != linkType;
        return !isInvalid;
    }

    /** Converts a timestamp to nanoseconds, both unsigned; overflow wraps around. */
    @HotPath
    private static long nanoseconds(long time, int resolution) {
        int exponent = resolution & ~RESOLUTION_BINARY;
        if ((resolution & RESOLUTION_BINARY) != 0) {
            return binaryNanoseconds(time, exponent);
        }
        long ns = time;
        for (int i = exponent; i < 9; i++) {
            ns *= 10;
        }
        for (int i = 9; i < exponent; i++) {
            ns = Long.divideUnsigned(ns, 10);
        }
        return ns;
    }

    /**
     * Converts a binary fraction. Beyond 34 bits a fraction is finer than a tenth of a nanosecond, and the product
     * would overflow.
     */
    @HotPath
    private static long binaryNanoseconds(long time, int exponent) {
        long seconds = exponent < Long.SIZE ? time >>> exponent : 0;
        long fraction = exponent < Long.SIZE ? time & ((1L << exponent) - 1) : time;
        int bits = exponent;
        if (bits > 34) {
            fraction = bits - 34 < Long.SIZE ? fraction >>> (bits - 34) : 0;
            bits = 34;
        }
        return seconds * NS_PER_SECOND + ((fraction * NS_PER_SECOND) >>> bits);
    }

    @HotPath
    private int u16(int at) {
        return file.window().getShort(at, order) & 0xFFFF;
    }
}
