package io.chimera.queue.ipfix;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.common.packet.PacketTuple;
import io.chimera.queue.flow.FlowRecord;
import org.agrona.MutableDirectBuffer;

/** A field of the records that are exported: the element, its length, and how it is written. */
enum ExportField {
    START_MS(Elements.FLOW_START_MILLISECONDS, 8) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putLong(at, record.firstNs() / NS_PER_MS, BIG_ENDIAN);
        }
    },
    END_MS(Elements.FLOW_END_MILLISECONDS, 8) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putLong(at, record.lastNs() / NS_PER_MS, BIG_ENDIAN);
        }
    },
    START_NS(Elements.FLOW_START_NANOSECONDS, 8) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putLong(at, Ntp.of(record.firstNs()), BIG_ENDIAN);
        }
    },
    END_NS(Elements.FLOW_END_NANOSECONDS, 8) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putLong(at, Ntp.of(record.lastNs()), BIG_ENDIAN);
        }
    },
    BYTES(Elements.OCTET_DELTA_COUNT, 8) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putLong(at, record.forwardBytes(), BIG_ENDIAN);
        }
    },
    PACKETS(Elements.PACKET_DELTA_COUNT, 8) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putLong(at, record.forwardPackets(), BIG_ENDIAN);
        }
    },
    WIRE_BYTES(Elements.LAYER2_OCTET_DELTA_COUNT, 8) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putLong(at, record.forwardWireBytes(), BIG_ENDIAN);
        }
    },
    REVERSE_BYTES(Elements.OCTET_DELTA_COUNT | Elements.REVERSE, 8) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putLong(at, record.reverseBytes(), BIG_ENDIAN);
        }
    },
    REVERSE_PACKETS(Elements.PACKET_DELTA_COUNT | Elements.REVERSE, 8) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putLong(at, record.reversePackets(), BIG_ENDIAN);
        }
    },
    REVERSE_WIRE_BYTES(Elements.LAYER2_OCTET_DELTA_COUNT | Elements.REVERSE, 8) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putLong(at, record.reverseWireBytes(), BIG_ENDIAN);
        }
    },
    FLOW_ID(Elements.FLOW_ID, 8) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putLong(at, record.flowId(), BIG_ENDIAN);
        }
    },
    SOURCE_IPV4(Elements.SOURCE_IPV4_ADDRESS, 4) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putInt(at, record.sourceIpv4(), BIG_ENDIAN);
        }
    },
    DESTINATION_IPV4(Elements.DESTINATION_IPV4_ADDRESS, 4) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putInt(at, record.destinationIpv4(), BIG_ENDIAN);
        }
    },
    SOURCE_IPV6(Elements.SOURCE_IPV6_ADDRESS, 16) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            record.sourceAddress(buffer, at);
        }
    },
    DESTINATION_IPV6(Elements.DESTINATION_IPV6_ADDRESS, 16) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            record.destinationAddress(buffer, at);
        }
    },
    SOURCE_PORT(Elements.SOURCE_TRANSPORT_PORT, 2) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putShort(at, (short) record.sourcePort(), BIG_ENDIAN);
        }
    },
    DESTINATION_PORT(Elements.DESTINATION_TRANSPORT_PORT, 2) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putShort(at, (short) record.destinationPort(), BIG_ENDIAN);
        }
    },
    ICMP_IPV4(Elements.ICMP_TYPE_CODE_IPV4, 2) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putShort(at, icmp(record), BIG_ENDIAN);
        }
    },
    ICMP_IPV6(Elements.ICMP_TYPE_CODE_IPV6, 2) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putShort(at, icmp(record), BIG_ENDIAN);
        }
    },
    TCP_FLAGS(Elements.TCP_CONTROL_BITS, 2) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putShort(at, (short) record.forwardTcpFlags(), BIG_ENDIAN);
        }
    },
    REVERSE_TCP_FLAGS(Elements.TCP_CONTROL_BITS | Elements.REVERSE, 2) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putShort(at, (short) record.reverseTcpFlags(), BIG_ENDIAN);
        }
    },
    VLAN(Elements.VLAN_ID, 2) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putShort(at, (short) record.vlan(), BIG_ENDIAN);
        }
    },
    CUSTOMER_VLAN(Elements.DOT1Q_CUSTOMER_VLAN_ID, 2) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putShort(at, (short) record.customerVlan(), BIG_ENDIAN);
        }
    },
    MPLS_LABEL(Elements.MPLS_TOP_LABEL_STACK_SECTION, 3) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putShort(at, (short) (record.mplsLabel() >> 4), BIG_ENDIAN);
            buffer.putByte(at + 2, (byte) (record.mplsLabel() << 4));
        }
    },
    SEGMENT(Elements.LAYER2_SEGMENT_ID, 8) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            long segment = record.tunnel() == PacketTuple.TUNNEL_VXLAN ? VXLAN_SEGMENT | record.tunnelId() : 0;
            buffer.putLong(at, segment, BIG_ENDIAN);
        }
    },
    GTPU_TEID(Elements.GTPU_TEID, 4) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putInt(at, record.tunnel() == PacketTuple.TUNNEL_GTP_U ? record.tunnelId() : 0, BIG_ENDIAN);
        }
    },
    IP_VERSION(Elements.IP_VERSION, 1) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putByte(at, (byte) record.ipVersion());
        }
    },
    PROTOCOL(Elements.PROTOCOL_IDENTIFIER, 1) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putByte(at, (byte) record.protocol());
        }
    },
    END_REASON(Elements.FLOW_END_REASON, 1) {
        @Override
        void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
            buffer.putByte(at, (byte) record.endReason());
        }
    };

    private static final long NS_PER_MS = 1_000_000;

    /** The uppermost byte of a layer2SegmentId says of what kind it is. */
    private static final long VXLAN_SEGMENT = 1L << 56;

    private final int element;
    private final int length;

    ExportField(int element, int length) {
        this.element = element;
        this.length = length;
    }

    /** Element, with {@link Elements#REVERSE} where it is of the reverse direction. */
    int element() {
        return element;
    }

    /** Bytes of its value. */
    int length() {
        return length;
    }

    /** Writes the value of a record. */
    @HotPath
    abstract void put(FlowRecord record, MutableDirectBuffer buffer, int at);

    private static short icmp(FlowRecord record) {
        return (short) ((record.icmpType() << 8) | record.icmpCode());
    }
}
