package io.chimera.archive.query;

import io.chimera.api.HotPath;
import io.chimera.archive.index.IndexKey;
import io.chimera.archive.index.KeyHash;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * The keys of a packet, for the index. They are what a filter of libpcap would see in it, which is the outermost IP header behind VLAN
 * tags, MPLS labels and a PPPoE session, or the addresses of ARP; also where the packet is damaged or cut short in a way that a decoder
 * refuses, because filters look at bytes and do not check headers. Both ends of a packet share their keys: who sends is answered, within
 * moments, so two sets of keys would say nearly the same twice. One thread; allocates nothing.
 */
public final class PacketKeys {
    /** Addresses of source and destination. */
    public static final int ADDRESS = 0;

    /** Ports of source and destination of TCP, UDP or SCTP. */
    public static final int PORT = 1;

    /** Addresses, ports and protocol at once, the same both ways. */
    public static final int TUPLE = 2;

    /** Nets of both addresses. */
    public static final int NET = 3;

    /** Protocol of IP; a key of ranges. */
    public static final int PROTOCOL = 4;

    /** Addresses of source and destination of what opens a connection of TCP over IPv4, or accepts one. */
    public static final int OPENING = 5;

    /** The byte of TCP's header with its flags, and one of them. */
    static final int TCP_FLAGS_AT = 13;

    static final int SYN = 2;

    /** Tags, labels and sessions ahead of IP that are followed. */
    static final int SHIFTS_MAX = 8;

    /** Bits of the nets that are keys: /16 and /24 of IPv4 as ::ffff:a.b.c.d, /32 and /48 of IPv6. */
    static final int WIDE4 = 112;

    static final int NARROW4 = 120;
    static final int WIDE6 = 32;
    static final int NARROW6 = 48;

    private static final int PROTOCOLS = 256;
    static final int TCP = 6;
    private static final int UDP = 17;
    private static final int SCTP = 132;
    private static final int FRAGMENT = 44;
    private static final int NONE = -1;
    private static final int PORT_BITS = 17;
    private static final long PORT_STEP = 0xC2B2_AE3D_27D4_EB4FL;
    private static final int END_BITS = Integer.SIZE + PORT_BITS;

    /** Of a token, beside both addresses and the protocol. */
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

    /** Takes keys. */
    public interface KeySink {
        /** A value of an exact key. */
        void add(int key, long hash);

        /** A value of a key of ranges. */
        void addRange(int key, long value);

        /**
         * Whether keys made of these 128 bits were added to the same interval before. What is added until it is asked again
         * is made of these bits.
         *
         * @return false when that is not known, and for zeros
         */
        boolean isRecent(long first, long second);
    }

    /**
     * For frames of one kind.
     *
     * @param linkType how they begin; the number is that of pcap files. Of a kind that filters do not know nothing is added
     * @param sink takes the keys
     */
    public PacketKeys(int linkType, KeySink sink) {
        this.header = new OuterHeader(LinkTypes.of(linkType));
        this.sink = sink;
    }

    /** What an index of packets is made with: keys by their numbers. */
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
     * @param address of its first byte
     * @param captured bytes there
     */
    @HotPath
    public void add(long address, int captured) {
        add(null, address, captured);
    }

    /**
     * Adds the keys of a packet.
     *
     * @param buffer it is in
     * @param offset of its first byte
     * @param captured bytes there
     * @throws IndexOutOfBoundsException when they do not lie in the buffer
     */
    @HotPath
    public void add(DirectBuffer buffer, int offset, int captured) {
        buffer.boundsCheck(offset, captured);
        add(buffer.byteArray(), buffer.addressOffset() + offset, captured);
    }

    /** Adds the keys of a packet in an array, or at an address if the array is null. */
    @HotPath
    void add(byte[] array, long address, int captured) {
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

    /** Whether a packet with these ends, whichever way, had the same keys. Those of IPv6 do not go into a token. */
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

    /** A missing port is told from those that are there. */
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

    private void read4(byte[] array, long address, int captured) {
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

    private void readArp(byte[] array, long address, int captured) {
        ends4(array, address, captured, 14, 24);
    }

    private void ends4(byte[] array, long address, int captured, int sourceAt, int destinationAt) {
        if (captured >= sourceAt + 4) {
            hasSource = true;
            sourceLow = Address.MAPPED | Integer.toUnsignedLong(FrameBytes.u32(array, address + sourceAt));
        }
        if (captured >= destinationAt + 4) {
            hasDestination = true;
            destinationLow = Address.MAPPED | Integer.toUnsignedLong(FrameBytes.u32(array, address + destinationAt));
        }
    }

    private void read6(byte[] array, long address, int captured) {
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

    private void ports(byte[] array, long address, int captured) {
        if (captured >= 2) {
            sourcePort = FrameBytes.u16(array, address);
        }
        if (captured >= 4) {
            destinationPort = FrameBytes.u16(array, address + 2);
        }
    }

    private static long u64(byte[] array, long address) {
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

    /** Whether an address is one of IPv4. */
    static boolean is4(long high, long low) {
        return high == 0 && low >>> 32 == Address.MAPPED >>> 32;
    }

    /** Of an address. */
    @HotPath
    static long hash(long high, long low) {
        return high == 0 ? KeyHash.of(low) : KeyHash.of(high, low);
    }

    /** Of the first bits of an address. */
    @HotPath
    static long net(long high, long low, int bits) {
        return bits <= Long.SIZE
                ? KeyHash.of(high & -1L << (Long.SIZE - bits), bits)
                : KeyHash.of(low & -1L << (2 * Long.SIZE - bits), bits);
    }

    /** Of a port. */
    @HotPath
    static long port(int port) {
        return KeyHash.of(port);
    }

    /** Of the hashes of addresses, of ports and of a protocol; the same both ways. */
    @HotPath
    static long tuple(long source, long destination, int sourcePort, int destinationPort, int protocol) {
        return KeyHash.of(end(source, sourcePort) + end(destination, destinationPort) + protocol);
    }

    /** Of the hash of an address and of a port. */
    @HotPath
    private static long end(long address, long port) {
        return KeyHash.of(address + port * PORT_STEP);
    }
}
