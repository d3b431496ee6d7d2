package io.chimera.queue.flow;

import io.chimera.api.HotPath;
import io.chimera.api.model.FieldType;
import io.chimera.common.config.CaptureConfig.FlowTag;
import io.chimera.common.wire.RecordEncoder;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Makes a data point of a record: the wanted parts of the key are tags, the other ones fields, besides what was counted. Its time is
 * that of the last packet. One thread.
 */
public final class FlowPoint {
    private static final int LONG = FieldType.LONG.code();
    private static final int NS_PER_MS = 1_000_000;

    private static final byte[][] PROTOCOLS = new byte[256][];
    private static final Map<FlowTag, byte[]> NAMES = new EnumMap<>(FlowTag.class);

    private static final byte[] PACKETS = ascii("packets");
    private static final byte[] BYTES = ascii("bytes");
    private static final byte[] WIRE_BYTES = ascii("wire_bytes");
    private static final byte[] REVERSE_PACKETS = ascii("reverse_packets");
    private static final byte[] REVERSE_BYTES = ascii("reverse_bytes");
    private static final byte[] REVERSE_WIRE_BYTES = ascii("reverse_wire_bytes");
    private static final byte[] DURATION_MS = ascii("duration_ms");
    private static final byte[] TCP_FLAGS = ascii("tcp_flags");
    private static final byte[] REVERSE_TCP_FLAGS = ascii("reverse_tcp_flags");
    private static final byte[] END_REASON = ascii("end_reason");

    static {
        for (int protocol = 0; protocol < PROTOCOLS.length; protocol++) {
            PROTOCOLS[protocol] = ascii(ProtocolName.of(protocol));
        }
        for (FlowTag tag : FlowTag.values()) {
            NAMES.put(tag, ascii(tag.name().toLowerCase(Locale.ROOT)));
        }
    }

    private final byte[] metric;
    private final FlowTag[] tags;
    private final FlowTag[] fields;
    private final byte[][] tagNames;
    private final byte[][] fieldNames;
    private final int input;
    private final byte[] value = new byte[AddressText.LENGTH_MAX];
    private final byte[] series = new byte[FlowTag.values().length * (AddressText.LENGTH_MAX + 1)];

    /**
     * A maker of points.
     *
     * @param metric of the points
     * @param tags what becomes a tag
     * @param input ordinal of the input
     */
    public FlowPoint(String metric, List<FlowTag> tags, int input) {
        this.metric = metric.getBytes(StandardCharsets.UTF_8);
        this.tags = tags.stream().distinct().sorted().toArray(FlowTag[]::new);
        this.fields = List.of(FlowTag.values()).stream()
                .filter(part -> !tags.contains(part))
                .toArray(FlowTag[]::new);
        tagNames = names(this.tags);
        fieldNames = names(this.fields);
        this.input = input;
    }

    private static byte[][] names(FlowTag[] parts) {
        byte[][] names = new byte[parts.length][];
        for (int i = 0; i < parts.length; i++) {
            names[i] = NAMES.get(parts[i]);
        }
        return names;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Writes a point.
     *
     * @param encoder has room for it, or answers that it has not
     * @return what {@link RecordEncoder#end} says
     */
    @HotPath
    public int write(FlowRecord record, RecordEncoder encoder) {
        encoder.begin();
        int length = 0;
        for (FlowTag tag : tags) {
            length = text(record, tag, series, length);
            series[length++] = ',';
        }
        if (!encoder.series(series, 0, length)) {
            encoder.metric(metric, 0, metric.length);
            for (int i = 0; i < tags.length; i++) {
                byte[] name = tagNames[i];
                int end = text(record, tags[i], value, 0);
                encoder.tag(name, 0, name.length, value, 0, end);
            }
        }
        number(encoder, PACKETS, record.forwardPackets());
        number(encoder, BYTES, record.forwardBytes());
        number(encoder, WIRE_BYTES, record.forwardWireBytes());
        number(encoder, REVERSE_PACKETS, record.reversePackets());
        number(encoder, REVERSE_BYTES, record.reverseBytes());
        number(encoder, REVERSE_WIRE_BYTES, record.reverseWireBytes());
        number(encoder, DURATION_MS, (record.lastNs() - record.firstNs()) / NS_PER_MS);
        number(encoder, TCP_FLAGS, record.forwardTcpFlags());
        number(encoder, REVERSE_TCP_FLAGS, record.reverseTcpFlags());
        number(encoder, END_REASON, record.endReason());
        for (int i = 0; i < fields.length; i++) {
            field(record, fields[i], fieldNames[i], encoder);
        }
        return encoder.end(record.lastNs(), input);
    }

    private void field(FlowRecord record, FlowTag part, byte[] name, RecordEncoder encoder) {
        switch (part) {
            case SRC, DST -> {
                int end = text(record, part, value, 0);
                encoder.textField(name, 0, name.length, value, 0, end);
            }
            default -> number(encoder, name, whole(record, part));
        }
    }

    private static int text(FlowRecord record, FlowTag part, byte[] target, int at) {
        return switch (part) {
            case SRC -> record.sourceText(target, at);
            case DST -> record.destinationText(target, at);
            case PROTOCOL -> {
                byte[] name = PROTOCOLS[record.protocol()];
                System.arraycopy(name, 0, target, at, name.length);
                yield at + name.length;
            }
            default -> AddressText.number(whole(record, part), target, at);
        };
    }

    private static int whole(FlowRecord record, FlowTag part) {
        return switch (part) {
            case SRC_PORT -> record.sourcePort();
            case DST_PORT -> record.destinationPort();
            case PROTOCOL -> record.protocol();
            case IP_VERSION -> record.ipVersion();
            default -> record.vlan();
        };
    }

    private static void number(RecordEncoder encoder, byte[] name, long bits) {
        encoder.field(name, 0, name.length, LONG, bits);
    }
}
