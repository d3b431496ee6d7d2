package io.chimera.queue.ipfix;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import io.chimera.common.config.FlowColumn;
import io.chimera.common.config.FlowConfig;
import io.chimera.queue.flow.AddressText;
import io.chimera.queue.flow.FlowRecord;
import io.chimera.queue.flow.ProtocolName;
import java.util.List;
import java.util.Locale;

/**
 * Makes a data point of a flow, with the tags and fields that are configured. What only an exporter knows is left out; whoever knows it
 * adds it between {@link #begin} and {@link #end}. One thread; allocates nothing.
 */
final class RecordPoint {
    private static final int LONG = FieldType.LONG.code();
    private static final long NS_PER_MS = 1_000_000;
    private static final byte[][] PROTOCOLS = new byte[256][];

    static {
        for (int protocol = 0; protocol < PROTOCOLS.length; protocol++) {
            PROTOCOLS[protocol] = ProtocolName.of(protocol).getBytes(UTF_8);
        }
    }

    private final byte[] metric;
    private final FlowColumn[] tags;
    private final byte[][] tagNames;
    private final FlowColumn[] fields;
    private final byte[][] fieldNames;
    private final int textLength;
    private final byte[] text = new byte[AddressText.LENGTH_MAX];

    /** Makes points as configured. */
    RecordPoint(FlowConfig config) {
        metric = config.metric().getBytes(UTF_8);
        tags = ofFlow(config.tags());
        tagNames = names(tags);
        fields = ofFlow(config.fields());
        fieldNames = names(fields);
        int length = metric.length;
        for (FlowColumn column : config.tags()) {
            length += name(column).length + AddressText.LENGTH_MAX;
        }
        for (FlowColumn column : config.fields()) {
            length += name(column).length + AddressText.LENGTH_MAX;
        }
        textLength = length;
    }

    private static FlowColumn[] ofFlow(List<FlowColumn> columns) {
        return columns.stream().filter(column -> !column.isOfExporter()).toArray(FlowColumn[]::new);
    }

    /** Names of tags or fields, in UTF-8. */
    static byte[][] names(FlowColumn... columns) {
        byte[][] names = new byte[columns.length][];
        for (int i = 0; i < names.length; i++) {
            names[i] = name(columns[i]);
        }
        return names;
    }

    private static byte[] name(FlowColumn column) {
        return column.name().toLowerCase(Locale.ROOT).getBytes(UTF_8);
    }

    /**
     * Begins a point: its metric and tags. Other tags may follow.
     *
     * @param record the flow
     * @param sink takes the point
     * @param otherLength bytes of text that are added beside the configured columns, at most
     * @return false when there is no room now
     */
    @HotPath
    boolean begin(FlowRecord record, PointSink sink, int otherLength) {
        if (!sink.begin(textLength + otherLength)) {
            return false;
        }
        sink.metric(metric, 0, metric.length);
        for (int i = 0; i < tags.length; i++) {
            int length = text(tags[i], record);
            sink.tag(tagNames[i], 0, tagNames[i].length, text, 0, length);
        }
        return true;
    }

    /**
     * Ends a point, with its fields and its time. Other fields came before.
     *
     * @param record the flow
     * @param sink takes the point
     * @return {@link PointSink#OK}, or a negative code
     */
    @HotPath
    int end(FlowRecord record, PointSink sink) {
        for (int i = 0; i < fields.length; i++) {
            FlowColumn column = fields[i];
            if (isAddress(column)) {
                sink.textField(fieldNames[i], 0, fieldNames[i].length, text, 0, text(column, record));
            } else {
                sink.field(fieldNames[i], 0, fieldNames[i].length, LONG, number(column, record));
            }
        }
        sink.time(record.lastNs());
        return sink.end();
    }

    private static boolean isAddress(FlowColumn column) {
        return column == FlowColumn.SRC || column == FlowColumn.DST;
    }

    /** Writes a column as text; returns its length. */
    private int text(FlowColumn column, FlowRecord record) {
        return switch (column) {
            case SRC -> record.sourceText(text, 0);
            case DST -> record.destinationText(text, 0);
            case PROTOCOL -> {
                byte[] name = PROTOCOLS[record.protocol()];
                System.arraycopy(name, 0, text, 0, name.length);
                yield name.length;
            }
            default -> putDecimal(number(column, record), text);
        };
    }

    /**
     * Writes a number without its sign.
     *
     * @param number unsigned
     * @param text takes up to 20 bytes from its start on
     * @return their number
     */
    @HotPath
    static int putDecimal(long number, byte[] text) {
        int digits = 1;
        for (long rest = Long.divideUnsigned(number, 10); rest != 0; rest /= 10) {
            digits++;
        }
        long left = number;
        for (int i = digits - 1; i >= 0; i--) {
            long rest = Long.divideUnsigned(left, 10);
            text[i] = (byte) ('0' + (left - rest * 10));
            left = rest;
        }
        return digits;
    }

    private static long number(FlowColumn column, FlowRecord record) {
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
            default -> 0; // of an exporter, or an address: not asked for
        };
    }
}
