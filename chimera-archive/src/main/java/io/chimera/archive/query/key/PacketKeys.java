package io.chimera.archive.query.key;

import io.chimera.api.HotPath;
import io.chimera.archive.index.key.IndexKey;
import io.chimera.archive.index.key.KeyHash;
import io.chimera.archive.query.condition.FrameBytes;
import io.chimera.archive.query.condition.LinkTypes;
import io.chimera.archive.query.text.Address;
import java.util.List;
import org.agrona.DirectBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Extracts the keys of a packet for the index. The keys cover everything a libpcap filter sees: the outermost IP header
 * after VLAN tags, MPLS labels and a PPPoE session, or the addresses of ARP. Damaged or truncated packets that a
 * decoder rejects also get keys, because filters read bytes without checking headers. Both ends of a packet share their
 * keys: most packets are answered within moments, so two sets of keys would be nearly equal. Single-threaded; allocates
 * nothing.
 */
public final class PacketKeys {
    /** Addresses of source and destination. */
    public static final int ADDRESS = 0;

    /** Ports of source and destination of TCP, UDP or SCTP. */
    public static final int PORT = 1;

    /** Addresses, ports and protocol as one key, equal for both directions. */
    public static final int TUPLE = 2;

    /** Nets of both addresses. */
    public static final int NET = 3;

    /** Protocol of IP; a range key. */
    public static final int PROTOCOL = 4;

    /** Addresses of source and destination of packets that open or accept a connection of TCP over IPv4. */
    public static final int OPENING = 5;

    /** Offset of the flags in the TCP header, and the SYN flag. */
    public static final int TCP_FLAGS_AT = 13;

    public static final int SYN = 2;

    /** Maximum number of tags, labels and sessions before IP. */
    public static final int SHIFTS_MAX = 8;

    /** Prefix lengths of the net keys: /16 and /24 of IPv4 as ::ffff:a.b.c.d, /32 and /48 of IPv6. */
    public static final int WIDE4 = 112;

    public static final int NARROW4 = 120;
    public static final int WIDE6 = 32;
    public static final int NARROW6 = 48;

    private static final int PROTOCOLS = 256;
    public static final int TCP = 6;
    private static final int UDP = 17;
    private static final int SCTP = 132;
    private static final int FRAGMENT = 44;
    private static final int NONE = -1;
    private static final int PORT_BITS = 17;
    private static final long PORT_STEP = 0xC2B2_AE3D_27D4_EB4FL;
    private static final int END_BITS = Integer.SIZE + PORT_BITS;

    /** Bit of an opening packet in a token, next to the address flags and the protocol. */
    private static final long OPENING_BIT = 1 << 11;

    private final OuterHeader header;
    private final KeySink sink;

    private long sourceHigh;
    private long sourceLow;
    private long destinationHigh;
    private long destinationLow;
    private boolean hasSource;
    private boolean hasDestination;
    private int sourcePort;
    private int destinationPort;
    private int protocol;
    private int behindFragment;
    private boolean isOpening;

    /**
     * Creates the extractor for one link type.
     *
     * @param linkType link type, numbered as in pcap files. An unknown link type yields no keys
     * @param sink receives the keys
     */
    public PacketKeys(int linkType, KeySink sink) {
        this.header = new OuterHeader(LinkTypes.of(linkType));
        this.sink = sink;
    }

    /** Returns the key definitions of a packet index, by key number. */
    public static List<IndexKey> keys() {
        return List.of(
                IndexKey.exact("address"),
                IndexKey.exact("port"),
                IndexKey.exact("tuple"),
                IndexKey.exact("net"),
                IndexKey.range("protocol").withCells(0, 0, PROTOCOLS),
                IndexKey.exact("opening"));
    }

    /**
     * Adds the keys of a packet.
     *
     * @param address address of the first byte
     * @param captured number of captured bytes
     */
    @HotPath
    public void add(long address, int captured) {
        add(null, address, captured);
    }

    /**
     * Adds the keys of a packet.
     *
     * @param buffer buffer with the packet
     * @param offset offset of the first byte
     * @param captured number of captured bytes
     * @throws IndexOutOfBoundsException when the packet exceeds the buffer
     */
    @HotPath
    public void add(DirectBuffer buffer, int offset, int captured) {
        buffer.boundsCheck(offset, captured);
        add(buffer.byteArray(), buffer.addressOffset() + offset, captured);
    }

    /** Adds the keys of a packet in an array, or at an address if the array is null. */
    @HotPath
    public void add(byte @Nullable [] array, long address, int captured) {
        clear();
        int at = header.find(array, address, captured);
        switch (header.protocol()) {
            case OuterHeader.IPV4 -> read4(array, address + at, captured - at);
            case OuterHeader.IPV6 -> read6(array, address + at, captured - at);
            case OuterHeader.ARP -> readArp(array, address + at, captured - at);
            default -> {
                return;
            }
        }
        if (!isRecent()) {
            emit();
        }
    }

    /**
     * Returns true if a packet with the same ends, in either direction, had the same keys. IPv6 addresses do not fit
     * into a token.
     */
    private boolean isRecent() {
        if (header.protocol() == OuterHeader.IPV6) {
            return sink.isRecent(0, 0);
        }
        long source = endToken(sourceLow, sourcePort);
        long destination = endToken(destinationLow, destinationPort);
        long rest = (hasSource ? 1 : 0)
                | (hasDestination ? 2 : 0)
                | (long) (protocol + 1) << 2
                | (isOpening ? OPENING_BIT : 0);
        return sink.isRecent(Math.min(source, destination) | rest << END_BITS, Math.max(source, destination));
    }

    /** Encodes the port plus 1, to distinguish a missing port from port 0. */
    private static long endToken(long low, int port) {
        return (low & 0xFFFF_FFFFL) << PORT_BITS | (port + 1);
    }

    private void clear() {
        hasSource = false;
        hasDestination = false;
        sourceHigh = 0;
        sourceLow = 0;
        destinationHigh = 0;
        destinationLow = 0;
        sourcePort = NONE;
        destinationPort = NONE;
        protocol = NONE;
        behindFragment = NONE;
        isOpening = false;
    }

    private void read4(byte @Nullable [] array, long address, int captured) {
        if (captured >= 10) {
            protocol = FrameBytes.u8(array, address + 9);
        }
        ends4(array, address, captured, 12, 16);
        if (hasPorts(protocol) && (FrameBytes.u16(array, address + 6) & 0x1FFF) == 0) {
            int headerLength = FrameBytes.headerLength(array, address);
            ports(array, address + headerLength, captured - headerLength);
            isOpening = protocol == TCP
                    && captured - headerLength > TCP_FLAGS_AT
                    && (FrameBytes.u8(array, address + headerLength + TCP_FLAGS_AT) & SYN) != 0;
        }
    }

    private void readArp(byte @Nullable [] array, long address, int captured) {
        ends4(array, address, captured, 14, 24);
    }

    private void ends4(byte @Nullable [] array, long address, int captured, int sourceAt, int destinationAt) {
        if (captured >= sourceAt + 4) {
            hasSource = true;
            sourceLow = Address.MAPPED | Integer.toUnsignedLong(FrameBytes.u32(array, address + sourceAt));
        }
        if (captured >= destinationAt + 4) {
            hasDestination = true;
            destinationLow = Address.MAPPED | Integer.toUnsignedLong(FrameBytes.u32(array, address + destinationAt));
        }
    }

    private void read6(byte @Nullable [] array, long address, int captured) {
        if (captured >= 7) {
            protocol = FrameBytes.u8(array, address + 6);
        }
        if (captured >= 24) {
            hasSource = true;
            sourceHigh = u64(array, address + 8);
            sourceLow = u64(array, address + 16);
        }
        if (captured >= 40) {
            hasDestination = true;
            destinationHigh = u64(array, address + 24);
            destinationLow = u64(array, address + 32);
        }
        if (protocol == FRAGMENT && captured > 40) {
            behindFragment = FrameBytes.u8(array, address + 40);
        } else if (hasPorts(protocol)) {
            ports(array, address + 40, captured - 40);
        }
    }

    private static boolean hasPorts(int protocol) {
        return protocol == TCP || protocol == UDP || protocol == SCTP;
    }

    private void ports(byte @Nullable [] array, long address, int captured) {
        if (captured >= 2) {
            sourcePort = FrameBytes.u16(array, address);
        }
        if (captured >= 4) {
            destinationPort = FrameBytes.u16(array, address + 2);
        }
    }

    private static long u64(byte @Nullable [] array, long address) {
        return (long) FrameBytes.u32(array, address) << 32 | (FrameBytes.u32(array, address + 4) & 0xFFFF_FFFFL);
    }

    private void emit() {
        if (hasSource) {
            sink.add(ADDRESS, hash(sourceHigh, sourceLow));
            addNets(sourceHigh, sourceLow);
        }
        if (hasDestination) {
            sink.add(ADDRESS, hash(destinationHigh, destinationLow));
            addNets(destinationHigh, destinationLow);
        }
        if (protocol != NONE) {
            sink.addRange(PROTOCOL, protocol);
        }
        if (behindFragment != NONE) {
            sink.addRange(PROTOCOL, behindFragment);
        }
        if (sourcePort != NONE) {
            sink.add(PORT, port(sourcePort));
        }
        if (destinationPort != NONE) {
            sink.add(PORT, port(destinationPort));
            sink.add(
                    TUPLE,
                    tuple(
                            hash(sourceHigh, sourceLow),
                            hash(destinationHigh, destinationLow),
                            sourcePort,
                            destinationPort,
                            protocol));
        }
        if (isOpening) {
            sink.add(OPENING, hash(sourceHigh, sourceLow));
            sink.add(OPENING, hash(destinationHigh, destinationLow));
        }
    }

    private void addNets(long high, long low) {
        boolean is4 = is4(high, low);
        sink.add(NET, net(high, low, is4 ? WIDE4 : WIDE6));
        sink.add(NET, net(high, low, is4 ? NARROW4 : NARROW6));
    }

    /** Returns true for an IPv4 address. */
    public static boolean is4(long high, long low) {
        return high == 0 && low >>> 32 == Address.MAPPED >>> 32;
    }

    /** Returns the hash of an address. */
    @HotPath
    public static long hash(long high, long low) {
        return high == 0 ? KeyHash.of(low) : KeyHash.of(high, low);
    }

    /** Returns the hash of an address prefix. */
    @HotPath
    public static long net(long high, long low, int bits) {
        return bits <= Long.SIZE
                ? KeyHash.of(high & -1L << (Long.SIZE - bits), bits)
                : KeyHash.of(low & -1L << (2 * Long.SIZE - bits), bits);
    }

    /** Returns the hash of a port. */
    @HotPath
    public static long port(int port) {
        return KeyHash.of(port);
    }

    /** Returns the hash of two address hashes, two ports and a protocol, equal for both directions. */
    @HotPath
    public static long tuple(long source, long destination, int sourcePort, int destinationPort, int protocol) {
        return KeyHash.of(end(source, sourcePort) + end(destination, destinationPort) + protocol);
    }

    /** Returns the hash of an address hash and a port. */
    @HotPath
    private static long end(long address, long port) {
        return KeyHash.of(address + port * PORT_STEP);
    }
}
