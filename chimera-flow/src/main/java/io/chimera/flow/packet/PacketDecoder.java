package io.chimera.flow.packet;

import io.chimera.api.HotPath;
import org.agrona.UnsafeApi;

/**
 * Decodes a frame in memory to a {@link PacketTuple}, like the SOURCE of Fais et al. 2021, section 5.1. Reads only
 * captured bytes, copies nothing, allocates nothing, and never throws because of a packet: a damaged or truncated
 * packet has its own outcome, counted by the caller.
 *
 * <p>Fragments: only the first fragment of an IP packet has ports; the key of a later fragment is addresses and
 * protocol, with ports 0. Single-threaded.
 */
public final class PacketDecoder {
    /** Maximum depth of nested tunnels. */
    private static final int TUNNELS_MAX = 4;

    private final int linkType;
    private final boolean isInside;
    private final PacketBytes bytes = new PacketBytes();
    private final LinkLayer link = new LinkLayer();
    private final LinkLayer innerLink = new LinkLayer();
    private final NetworkLayer network = new NetworkLayer();
    private final TunnelHeader tunnel = new TunnelHeader();
    private final OuterTuple outer = new OuterTuple();

    /**
     * Creates a decoder for frames of one link type.
     *
     * @param linkType link type of the frames; the numbers are those of pcap files
     * @param isInside whether packets in tunnels get the key of the innermost packet; otherwise tunnels are not decoded
     * @throws IllegalArgumentException for an unknown link type; see {@link #isKnown}
     */
    public PacketDecoder(int linkType, boolean isInside) {
        if (!isKnown(linkType)) {
            throw new IllegalArgumentException("Unsupported link type " + linkType
                    + ". Supported: Ethernet, raw IP, Linux cooked, loopback, PPP and Cisco HDLC.");
        }
        this.linkType = linkType;
        this.isInside = isInside;
    }

    /** Returns whether frames of a link type can be decoded. */
    public static boolean isKnown(int linkType) {
        return LinkLayer.isKnown(linkType);
    }

    /**
     * Decodes a frame.
     *
     * @param address address of the first byte
     * @param captured number of captured bytes
     * @param length number of bytes on the wire; at least {@code captured}
     * @param timeNs capture time, ns since 1970
     * @param tci TCI of a VLAN tag already removed from the frame
     * @param tpid Ethernet type of the removed tag; 0 without a removed tag
     * @param tuple address of the output, {@link PacketTuple#LENGTH} bytes
     * @return outcome of the decoding
     */
    @HotPath
    public PacketOutcome decode(long address, int captured, int length, long timeNs, int tci, int tpid, long tuple) {
        UnsafeApi.putLong(tuple + PacketTuple.TIME_NS, timeNs);
        UnsafeApi.putLong(tuple + PacketTuple.IP_BYTES, 0);
        UnsafeApi.putInt(tuple + PacketTuple.WIRE_BYTES, length);
        UnsafeApi.putLong(tuple + PacketTuple.FLAGS, 0);
        UnsafeApi.putLong(tuple + PacketTuple.TUNNEL_ID, 0); // also tunnel, flags, outcome
        bytes.wrap(address, captured);
        PacketOutcome outcome = link.decode(bytes, 0, linkType, tci, tpid != 0);
        if (outcome == PacketOutcome.IP) {
            UnsafeApi.putShort(tuple + PacketTuple.ICMP_TYPE, (short) 0); // also code
            UnsafeApi.putShort(tuple + PacketTuple.VLAN, (short) link.vlan());
            UnsafeApi.putShort(tuple + PacketTuple.CUSTOMER_VLAN, (short) link.customerVlan());
            UnsafeApi.putInt(tuple + PacketTuple.MPLS_LABEL, link.mplsLabel());
            outcome = network.decode(bytes, link.at(), link.ipVersion(), length - link.at(), tuple);
            if (isInside && outcome == PacketOutcome.IP) {
                goInside(length, tuple);
            }
        }
        UnsafeApi.putByte(tuple + PacketTuple.OUTCOME, (byte) outcome.code());
        return outcome;
    }

    /** Decodes nested packets. If an inner packet is not decodable, the tuple describes the outer packet. */
    private void goInside(int length, long tuple) {
        for (int i = 0; i < TUNNELS_MAX; i++) {
            boolean isOpen = tunnel.read(bytes, network.payloadProtocol(), network.payloadAt());
            if (tunnel.kind() == PacketTuple.TUNNEL_NONE) {
                return;
            }
            if (!isOpen || !inner(length, tuple)) {
                byte flags = (byte) (UnsafeApi.getByte(tuple + PacketTuple.FLAGS) | PacketTuple.FLAG_TUNNEL_UNREAD);
                UnsafeApi.putByte(tuple + PacketTuple.FLAGS, flags);
                return;
            }
        }
    }

    private boolean inner(int length, long tuple) {
        outer.save(tuple);
        int kind = tunnel.kind();
        int at = tunnel.at();
        PacketOutcome outcome = innerLink.decode(bytes, at, tunnel.linkType(), 0, false);
        if (outcome == PacketOutcome.IP) {
            UnsafeApi.putByte(tuple + PacketTuple.FLAGS, (byte) 0);
            UnsafeApi.putByte(tuple + PacketTuple.TCP_FLAGS, (byte) 0);
            UnsafeApi.putShort(tuple + PacketTuple.ICMP_TYPE, (short) 0);
            int onWire = length - innerLink.at();
            outcome = network.decode(bytes, innerLink.at(), innerLink.ipVersion(), onWire, tuple);
        }
        if (outcome != PacketOutcome.IP) {
            outer.restore(tuple);
            return false;
        }
        UnsafeApi.putInt(tuple + PacketTuple.TUNNEL_ID, tunnel.id());
        UnsafeApi.putByte(tuple + PacketTuple.TUNNEL, (byte) kind);
        return true;
    }

    private static final class OuterTuple {
        private static final int WORDS = PacketTuple.LENGTH / Long.BYTES;

        private final long[] words = new long[WORDS];

        void save(long tuple) {
            for (int i = 0; i < WORDS; i++) {
                words[i] = UnsafeApi.getLong(tuple + 8L * i);
            }
        }

        void restore(long tuple) {
            for (int i = 0; i < WORDS; i++) {
                UnsafeApi.putLong(tuple + 8L * i, words[i]);
            }
        }
    }
}
