package io.chimera.flow.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.api.HotPath;
import io.chimera.common.config.FlowColumn;
import java.util.Locale;

/** Names and values of flow columns. */
final class FlowColumns {
    /** Maximum bytes of a value as text. */
    static final int TEXT_LENGTH_MAX = FlowOrigin.NAME_LENGTH_MAX;

    /** Maximum digits of a number. */
    private static final int NUMBER_LENGTH_MAX = 20;

    private static final long NS_PER_MS = 1_000_000;
    private static final byte[][] PROTOCOLS = new byte[256][];

    static {
        for (int protocol = 0; protocol < PROTOCOLS.length; protocol++) {
            PROTOCOLS[protocol] = ProtocolName.of(protocol).getBytes(UTF_8);
        }
    }

    private FlowColumns() {}

    /** Returns the names of tags or fields, in UTF-8. */
    static byte[][] names(FlowColumn... columns) {
        byte[][] names = new byte[columns.length][];
        for (int i = 0; i < names.length; i++) {
            names[i] = columns[i].name().toLowerCase(Locale.ROOT).getBytes(UTF_8);
        }
        return names;
    }

    /** Returns an upper bound for the bytes of names and values as text. */
    static int textLength(FlowColumn... columns) {
        int length = 0;
        for (FlowColumn column : columns) {
            length += column.name().length() + (isText(column) ? TEXT_LENGTH_MAX : NUMBER_LENGTH_MAX);
        }
        return length;
    }

    /** Whether the column also is text as a field. */
    @HotPath
    static boolean isText(FlowColumn column) {
        return column == FlowColumn.SRC || column == FlowColumn.DST || column == FlowColumn.EXPORTER;
    }

    /**
     * Writes the value of a column as text.
     *
     * @param target receives up to {@link #TEXT_LENGTH_MAX} bytes from {@code at} on
     * @return index after the last byte
     */
    @HotPath
    static int text(FlowColumn column, FlowRecord record, FlowOrigin origin, byte[] target, int at) {
        return switch (column) {
            case SRC -> record.sourceText(target, at);
            case DST -> record.destinationText(target, at);
            case PROTOCOL -> {
                byte[] name = PROTOCOLS[record.protocol()];
                System.arraycopy(name, 0, target, at, name.length);
                yield at + name.length;
            }
            case EXPORTER -> origin.name(target, at);
            default -> decimal(number(column, record, origin), target, at);
        };
    }

    /**
     * Writes an unsigned decimal number.
     *
     * @param number unsigned
     * @param target receives up to 20 bytes from {@code at} on
     * @return index after the last byte
     */
    @HotPath
    static int decimal(long number, byte[] target, int at) {
        int digits = 1;
        for (long rest = Long.divideUnsigned(number, 10); rest != 0; rest /= 10) {
            digits++;
        }
        long left = number;
        for (int i = at + digits - 1; i >= at; i--) {
            long rest = Long.divideUnsigned(left, 10);
            target[i] = (byte) ('0' + (left - rest * 10));
            left = rest;
        }
        return at + digits;
    }

    /** Returns the value of a column as a number; 0 for text columns. */
    @HotPath
    static long number(FlowColumn column, FlowRecord record, FlowOrigin origin) {
        return switch (column) {
            case SRC_PORT -> record.sourcePort();
            case DST_PORT -> record.destinationPort();
            case PROTOCOL -> record.protocol();
            case IP_VERSION -> record.ipVersion();
            case VLAN -> record.vlan();
            case CUSTOMER_VLAN -> record.customerVlan();
            case MPLS_LABEL -> record.mplsLabel();
            case TUNNEL -> record.tunnel();
            case TUNNEL_ID -> Integer.toUnsignedLong(record.tunnelId());
            case ICMP_TYPE -> record.icmpType();
            case ICMP_CODE -> record.icmpCode();
            case END_REASON -> record.endReason();
            case FLOW_ID -> record.flowId();
            case TCP_FLAGS -> record.forwardTcpFlags();
            case REVERSE_TCP_FLAGS -> record.reverseTcpFlags();
            case PACKETS -> record.forwardPackets();
            case BYTES -> record.forwardBytes();
            case WIRE_BYTES -> record.forwardWireBytes();
            case REVERSE_PACKETS -> record.reversePackets();
            case REVERSE_BYTES -> record.reverseBytes();
            case REVERSE_WIRE_BYTES -> record.reverseWireBytes();
            case DURATION_MS -> (record.lastNs() - record.firstNs()) / NS_PER_MS;
            case SRC, DST -> 0;
            default -> origin.number(column);
        };
    }
}
