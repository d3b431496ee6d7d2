package io.chimera.flow.ipfix.collector;

import io.chimera.api.HotPath;
import io.chimera.flow.ipfix.Elements;
import io.chimera.flow.table.FlowRecord;

/** Decodes the data records of templates: flow records, and options records about the exporter itself. */
final class DataRecords {
    /** Returned when the set ends before the record does. */
    static final int TRUNCATED = -1;

    private static final int LONG_LENGTH = 255;
    private static final int NUMBER_LENGTH_MAX = 8;

    private final boolean keepsOthers;

    /** Bytes of the most recently located value. */
    private int length;

    /**
     * Creates a decoder.
     *
     * @param keepsOthers whether elements without a place in {@link DecodedFlow} are kept by number
     */
    DataRecords(boolean keepsOthers) {
        this.keepsOthers = keepsOthers;
    }

    /**
     * Decodes a flow record.
     *
     * @param template template of the record
     * @param bytes array with the record
     * @param start first byte of the record
     * @param end first byte after the set
     * @param exportNs time of the message
     * @param flow receives the values; the caller completes the flow
     * @return first byte after the record, or {@link #TRUNCATED}
     */
    @HotPath
    int flow(Template template, byte[] bytes, int start, int end, long exportNs, DecodedFlow flow) {
        flow.clear();
        int position = start;
        for (int field = 0; field < template.fields(); field++) {
            position = value(template, field, bytes, position, end);
            if (position == TRUNCATED) {
                return TRUNCATED;
            }
            if (!FlowElements.put(flow, template.element(field), bytes, position, length, exportNs)
                    && keepsOthers
                    && length <= NUMBER_LENGTH_MAX) {
                flow.other(template.name(field), ByteField.unsigned(bytes, position, length));
            }
            position += length;
        }
        return position;
    }

    /** Locates the value of a field: returns its first byte and sets {@code length}. */
    private int value(Template template, int field, byte[] bytes, int start, int end) {
        int position = start;
        length = template.length(field);
        if (length == Template.VARIABLE) {
            if (end - position < 1) {
                return TRUNCATED;
            }
            length = ByteField.u8(bytes, position++);
            if (length == LONG_LENGTH) {
                if (end - position < 2) {
                    return TRUNCATED;
                }
                length = ByteField.u16(bytes, position);
                position += 2;
            }
        }
        return length > end - position ? TRUNCATED : position;
    }

    /**
     * Decodes an options record: sampling rates and start of the exporter's clock.
     *
     * @param template template of the record
     * @param bytes array with the record
     * @param start first byte of the record
     * @param end first byte after the set
     * @param exporter receives the sampling rate and the clock start
     * @return first byte after the record, or {@link #TRUNCATED}
     */
    int options(Template template, byte[] bytes, int start, int end, Exporter exporter) {
        long samplerId = 0;
        long interval = 0;
        long taken = 0;
        long left = 0;
        int position = start;
        for (int field = 0; field < template.fields(); field++) {
            position = value(template, field, bytes, position, end);
            if (position == TRUNCATED) {
                return TRUNCATED;
            }
            long value = length > NUMBER_LENGTH_MAX ? 0 : ByteField.unsigned(bytes, position, length);
            switch (template.element(field)) {
                case Elements.SAMPLER_ID, Elements.SELECTOR_ID -> samplerId = value;
                case Elements.SAMPLING_INTERVAL, Elements.SAMPLER_RANDOM_INTERVAL -> interval = value;
                case Elements.SAMPLING_PACKET_INTERVAL -> taken = value;
                case Elements.SAMPLING_PACKET_SPACE -> left = value;
                case Elements.SYSTEM_INIT_TIME_MILLISECONDS -> exporter.initTime(value);
                default -> {
                    // not needed
                }
            }
            position += length;
        }
        exporter.sampling(samplerId, taken > 0 ? (taken + left) / taken : interval);
        return position;
    }

    /** Bytes of a NetFlow 5 record. */
    static final int NETFLOW_5_LENGTH = 48;

    /**
     * Decodes a flow record of NetFlow 5, whose layout is fixed. The caller has checked that all 48 bytes are present.
     */
    @HotPath
    static void netflow5(byte[] bytes, int start, DecodedFlow flow) {
        flow.clear();
        flow.ipv4(FlowRecord.SOURCE_ADDRESS, bytes, start);
        flow.ipv4(FlowRecord.DESTINATION_ADDRESS, bytes, start + 4);
        flow.ingressInterface = ByteField.u16(bytes, start + 12);
        flow.egressInterface = ByteField.u16(bytes, start + 14);
        flow.u64(FlowRecord.FORWARD_PACKETS, ByteField.u32(bytes, start + 16));
        flow.u64(FlowRecord.FORWARD_BYTES, ByteField.u32(bytes, start + 20));
        flow.firstUptime(ByteField.u32(bytes, start + 24));
        flow.lastUptime(ByteField.u32(bytes, start + 28));
        flow.u16(FlowRecord.SOURCE_PORT, ByteField.u16(bytes, start + 32));
        flow.u16(FlowRecord.DESTINATION_PORT, ByteField.u16(bytes, start + 34));
        flow.u8(FlowRecord.FORWARD_TCP_FLAGS, ByteField.u8(bytes, start + 37));
        flow.u8(FlowRecord.PROTOCOL, ByteField.u8(bytes, start + 38));
        flow.classOfService = ByteField.u8(bytes, start + 39);
        flow.sourceAs = ByteField.u16(bytes, start + 40);
        flow.destinationAs = ByteField.u16(bytes, start + 42);
    }
}
