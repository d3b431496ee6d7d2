package io.chimera.flow.ipfix.exporter;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.flow.ipfix.Elements;
import io.chimera.flow.ipfix.WireFormat;
import io.chimera.flow.table.FlowRecord;
import java.util.ArrayList;
import java.util.List;
import org.agrona.MutableDirectBuffer;

/**
 * Template of exported records. Each combination of optional parts has its own template, so that an untagged IPv4 flow
 * does not carry the fields of an IPv6 flow in a tunnel.
 */
final class ExportTemplate {
    /** Number of templates. */
    static final int COUNT = 32;

    private static final int IPV6 = 1;
    private static final int ICMP = 2;
    private static final int BOTH_DIRECTIONS = 4;
    private static final int TAGGED = 8;
    private static final int ENCAPSULATED = 16;

    private static final int PROTOCOL_ICMP = 1;
    private static final int PROTOCOL_ICMPV6 = 58;
    private static final int HEADER_LENGTH = 4;
    private static final int SPECIFIER_LENGTH = 4;

    private final int id;
    private final ExportField[] fields;
    private final int recordLength;
    private final int definitionLength;

    private ExportTemplate(int kind, ExportTime unit) {
        id = WireFormat.DATA_SETS + kind;
        fields = fields(kind, unit).toArray(ExportField[]::new);
        int bytes = 0;
        int definition = HEADER_LENGTH;
        for (ExportField field : fields) {
            bytes += field.length();
            definition += isReverse(field) ? 2 * SPECIFIER_LENGTH : SPECIFIER_LENGTH;
        }
        recordLength = bytes;
        definitionLength = definition;
    }

    /** Creates all templates, indexed by {@link #kindOf}. */
    static ExportTemplate[] all(ExportTime unit) {
        ExportTemplate[] all = new ExportTemplate[COUNT];
        for (int kind = 0; kind < COUNT; kind++) {
            all[kind] = new ExportTemplate(kind, unit);
        }
        return all;
    }

    /** Index of the smallest template with a field for every part of the record. */
    @HotPath
    static int kindOf(FlowRecord record) {
        int kind = record.ipVersion() == 6 ? IPV6 : 0;
        int protocol = record.protocol();
        if (protocol == PROTOCOL_ICMP || protocol == PROTOCOL_ICMPV6) {
            kind |= ICMP;
        }
        if (record.reversePackets() != 0) {
            kind |= BOTH_DIRECTIONS;
        }
        if ((record.vlan() | record.customerVlan()) != 0) {
            kind |= TAGGED;
        }
        if ((record.mplsLabel() | record.tunnel()) != 0) {
            kind |= ENCAPSULATED;
        }
        return kind;
    }

    private static List<ExportField> fields(int kind, ExportTime unit) {
        List<ExportField> list = new ArrayList<>();
        boolean isV6 = (kind & IPV6) != 0;
        boolean isIcmp = (kind & ICMP) != 0;
        list.add(unit.start());
        list.add(unit.end());
        list.add(ExportField.BYTES);
        list.add(ExportField.PACKETS);
        list.add(ExportField.WIRE_BYTES);
        list.add(ExportField.FLOW_ID);
        list.add(isV6 ? ExportField.SOURCE_IPV6 : ExportField.SOURCE_IPV4);
        list.add(isV6 ? ExportField.DESTINATION_IPV6 : ExportField.DESTINATION_IPV4);
        if (isIcmp) {
            list.add(isV6 ? ExportField.ICMP_IPV6 : ExportField.ICMP_IPV4);
        } else {
            list.add(ExportField.SOURCE_PORT);
            list.add(ExportField.DESTINATION_PORT);
            list.add(ExportField.TCP_FLAGS);
        }
        list.add(ExportField.PROTOCOL);
        list.add(ExportField.IP_VERSION);
        list.add(ExportField.END_REASON);
        if ((kind & BOTH_DIRECTIONS) != 0) {
            list.add(ExportField.REVERSE_BYTES);
            list.add(ExportField.REVERSE_PACKETS);
            list.add(ExportField.REVERSE_WIRE_BYTES);
            if (!isIcmp) {
                list.add(ExportField.REVERSE_TCP_FLAGS);
            }
        }
        if ((kind & TAGGED) != 0) {
            list.add(ExportField.VLAN);
            list.add(ExportField.CUSTOMER_VLAN);
        }
        if ((kind & ENCAPSULATED) != 0) {
            list.add(ExportField.MPLS_LABEL);
            list.add(ExportField.SEGMENT);
            list.add(ExportField.GTPU_TEID);
        }
        return list;
    }

    private static boolean isReverse(ExportField field) {
        return (field.element() & Elements.REVERSE) != 0;
    }

    /** Number of the template, and of the data sets with its records. */
    int id() {
        return id;
    }

    int recordLength() {
        return recordLength;
    }

    /** Bytes of the template definition. */
    int definitionLength() {
        return definitionLength;
    }

    /** Writes the template definition: number, field count, and element and length of each field. */
    void define(MutableDirectBuffer buffer, int at) {
        buffer.putShort(at, (short) id, BIG_ENDIAN);
        buffer.putShort(at + 2, (short) fields.length, BIG_ENDIAN);
        int position = at + HEADER_LENGTH;
        for (ExportField field : fields) {
            // Elements.REVERSE is also the enterprise bit, so a reverse element only needs the enterprise number after
            // its length.
            buffer.putShort(position, (short) field.element(), BIG_ENDIAN);
            buffer.putShort(position + 2, (short) field.length(), BIG_ENDIAN);
            position += SPECIFIER_LENGTH;
            if (isReverse(field)) {
                buffer.putInt(position, Elements.REVERSE_ENTERPRISE, BIG_ENDIAN);
                position += SPECIFIER_LENGTH;
            }
        }
    }

    @HotPath
    void put(FlowRecord record, MutableDirectBuffer buffer, int at) {
        int position = at;
        for (ExportField field : fields) {
            field.put(record, buffer, position);
            position += field.length();
        }
    }
}
