package io.chimera.common.packet;

import io.chimera.api.HotPath;
import org.agrona.UnsafeApi;

/**
 * Makes a {@link PacketTuple} of a frame in memory (the SOURCE of Fais et al. 2021, section 5.1, creates tuples so). It reads nothing
 * outside of the bytes that were captured, copies nothing, allocates nothing, and throws at no packet: what is damaged or too short
 * is an outcome, which is counted by whoever asks.
 *
 * <p>Fragments: the first of an IP packet has ports; the others have none, so they are keyed by addresses and protocol, with ports
 * 0. One thread.
 */
public final class PacketDecoder {
    /** Tunnels within tunnels that are followed. */
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
     * A decoder for frames of one kind.
     *
     * @param linkType how they begin; the number is that of pcap files
     * @param isInside whether the key of a packet in a tunnel is that of the innermost packet; otherwise tunnels are not looked into
     * @throws IllegalArgumentException when frames of this kind are not known; see {@link #isKnown}
     */
    public PacketDecoder(int linkType, boolean isInside) {
        if (!isKnown(linkType)) {
            throw new IllegalArgumentException("Frames of link type " + linkType
                    + " cannot be decoded: known are Ethernet, raw IP, Linux cooked, loopback, PPP and Cisco HDLC.");
        }
        this.linkType = linkType;
        this.isInside = isInside;
    }

    /** Whether frames of a link type can be decoded. */
    public static boolean isKnown(int linkType) {
        return LinkLayer.isKnown(linkType);
    }

    /**
     * Decodes a frame.
     *
     * @param address of its first byte
     * @param captured bytes there
     * @param length bytes that were on the wire; not less than captured
     * @param timeNs when it came, ns since 1970
     * @param tci of a VLAN tag that was taken off the frame
     * @param tpid Ethernet type of that tag; 0: there was none
     * @param tuple address of {@link PacketTuple#LENGTH} bytes, which are written
     * @return what became of it
     */
    @HotPath
    public PacketOutcome decode(long address, int captured, int length, long timeNs, int tci, int tpid, long tuple) {
        UnsafeApi.putLong(tuple + PacketTuple.TIME_NS, timeNs);
        UnsafeApi.putLong(tuple + PacketTuple.IP_BYTES, 0);
        UnsafeApi.putInt(tuple + PacketTuple.WIRE_BYTES, length);
        UnsafeApi.putLong(tuple + PacketTuple.FLAGS, 0);
        UnsafeApi.putLong(tuple + PacketTuple.TUNNEL_ID, 0); // and tunnel, flags, outcome
        bytes.wrap(address, captured);
        PacketOutcome outcome = link.decode(bytes, 0, linkType, tci, tpid != 0);
        if (outcome == PacketOutcome.IP) {
            UnsafeApi.putShort(tuple + PacketTuple.ICMP_TYPE, (short) 0); // and code
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

    /** Where the inside of a tunnel cannot be read, the tuple is that of the packet around it. */
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

    /** A copy of a tuple. */
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
