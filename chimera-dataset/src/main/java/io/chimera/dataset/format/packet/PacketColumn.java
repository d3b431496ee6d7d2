package io.chimera.dataset.format.packet;

import io.chimera.flow.packet.PacketOutcome;
import io.chimera.flow.packet.PacketTuple;
import io.chimera.flow.table.AddressText;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Columns of a packet. A column without a value, such as the ports of a packet without ports, is empty. */
enum PacketColumn {
    /** Time of the packet, nanoseconds since 1970. */
    TIME,
    /** Length on the wire in bytes. */
    LENGTH,
    /** Number of captured bytes. */
    CAPTURED,
    /** {@code ip}, {@code not_ip}, or the defect of the packet. */
    OUTCOME,
    /** Version of IP: 4 or 6. */
    IP_VERSION,
    /** Length of the IP packet in bytes. */
    IP_LENGTH,
    /** Source address. */
    SOURCE,
    /** Destination address. */
    DESTINATION,
    /** Number of the protocol in IP: 6 is TCP, 17 is UDP. */
    PROTOCOL,
    /** Source port. */
    SOURCE_PORT,
    /** Destination port. */
    DESTINATION_PORT,
    /** Flags of TCP as a number. */
    TCP_FLAGS,
    /** Type of ICMP. */
    ICMP_TYPE,
    /** Code of ICMP. */
    ICMP_CODE,
    /** Identifier of the outermost VLAN. */
    VLAN,
    /** Identifier of the second VLAN tag. */
    CUSTOMER_VLAN,
    /** Topmost MPLS label. */
    MPLS_LABEL,
    /** 1 for a fragment of an IP packet, else 0. */
    FRAGMENT;

    /** Maximum length of the text of a column in bytes. */
    static final int TEXT_BYTES_MAX = AddressText.LENGTH_MAX;

    private static final byte[][] OUTCOMES = Arrays.stream(PacketOutcome.values())
            .map(outcome -> outcome.text().getBytes(StandardCharsets.US_ASCII))
            .toArray(byte[][]::new);

    /** Returns the column with a name in lower case; empty for another name. */
    static Optional<PacketColumn> ofName(String name) {
        return Arrays.stream(values())
                .filter(column -> column.text().equals(name))
                .findFirst();
    }

    /** Returns the names of all columns. */
    static String names() {
        return Arrays.stream(values()).map(PacketColumn::text).collect(Collectors.joining(", "));
    }

    private String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Writes the text of the column.
     *
     * @param packet the packet
     * @param target receives at most {@link #TEXT_BYTES_MAX} bytes
     * @param at index of the first byte
     * @return index after the last byte; {@code at} without a value
     */
    int put(PacketValues packet, byte[] target, int at) {
        if (!isSet(packet)) {
            return at;
        }
        return switch (this) {
            case OUTCOME -> outcome(packet, target, at);
            case SOURCE -> address(packet, PacketTuple.SOURCE_ADDRESS, target, at);
            case DESTINATION -> address(packet, PacketTuple.DESTINATION_ADDRESS, target, at);
            default -> packet.digits(number(packet), target, at);
        };
    }

    private boolean isSet(PacketValues packet) {
        return switch (this) {
            case TIME, LENGTH, CAPTURED, OUTCOME -> true;
            case IP_VERSION, IP_LENGTH, SOURCE, DESTINATION, PROTOCOL, FRAGMENT -> packet.isIp();
            case SOURCE_PORT, DESTINATION_PORT -> packet.hasPorts();
            case TCP_FLAGS -> packet.isTcp();
            case ICMP_TYPE, ICMP_CODE -> packet.isIcmp();
            case VLAN, CUSTOMER_VLAN, MPLS_LABEL -> packet.isIp() && number(packet) != 0;
        };
    }

    private long number(PacketValues packet) {
        PacketTuple tuple = packet.tuple();
        return switch (this) {
            case TIME -> tuple.timeNs();
            case LENGTH -> tuple.wireBytes();
            case CAPTURED -> packet.captured();
            case IP_VERSION -> tuple.ipVersion();
            case IP_LENGTH -> tuple.ipBytes();
            case PROTOCOL -> tuple.protocol();
            case SOURCE_PORT -> tuple.sourcePort();
            case DESTINATION_PORT -> tuple.destinationPort();
            case TCP_FLAGS -> tuple.tcpFlags();
            case ICMP_TYPE -> tuple.icmpType();
            case ICMP_CODE -> tuple.icmpCode();
            case VLAN -> tuple.vlan();
            case CUSTOMER_VLAN -> tuple.customerVlan();
            case MPLS_LABEL -> tuple.mplsLabel();
            case FRAGMENT -> tuple.flags() & PacketTuple.FLAG_FRAGMENT;
            case OUTCOME, SOURCE, DESTINATION -> throw new IllegalStateException(text() + " is no number");
        };
    }

    private static int outcome(PacketValues packet, byte[] target, int at) {
        byte[] name = OUTCOMES[packet.tuple().outcome().code()];
        System.arraycopy(name, 0, target, at, name.length);
        return at + name.length;
    }

    private static int address(PacketValues packet, int offset, byte[] target, int at) {
        return AddressText.put(packet.memory(), offset, packet.tuple().ipVersion() == 4, target, at);
    }
}
