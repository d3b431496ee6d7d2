package io.chimera.flow.ipfix.exporter;

import static java.nio.ByteOrder.BIG_ENDIAN;

import io.chimera.flow.ipfix.Elements;
import io.chimera.flow.ipfix.WireFormat;
import org.agrona.MutableDirectBuffer;

/**
 * Options records exported in addition to flows, each together with its template, so that a collector can always decode
 * the record.
 *
 * <p>Sampling: a Selector Report Interpretation (RFC 5476, 6.5.2), plus the older elements read by NetFlow collectors.
 * Counts of sent and unsent records: Exporting Process Reliability Statistics (RFC 7011, 4.3).
 */
final class ExportOptions {
    private static final int OPTIONS_SET = 3;
    private static final int SAMPLING = WireFormat.DATA_SETS + ExportTemplate.COUNT;
    private static final int STATISTICS = SAMPLING + 1;

    /** Number of counts in the statistics. */
    static final int STATISTICS_COUNTS = 6;

    /** Bytes of a message with the statistics: headers of 16, 4 and 4 bytes, a template of 34 and a record of 52. */
    static final int MESSAGE_LENGTH = 128;

    /** Bytes of the sampling options: a template of 30 bytes, a record of 23, and the set headers of both. */
    private static final int SAMPLING_LENGTH = 64;

    private static final int HEADER_LENGTH = 6;
    private static final int SPECIFIER_LENGTH = 4;

    /** Algorithm number of systematic count-based sampling: one packet, then a space. */
    private static final int SYSTEMATIC_BY_COUNT = 1;

    private static final int[] SAMPLING_FIELDS = {
        Elements.SELECTOR_ID, 8,
        Elements.SELECTOR_ALGORITHM, 2,
        Elements.SAMPLING_PACKET_INTERVAL, 4,
        Elements.SAMPLING_PACKET_SPACE, 4,
        Elements.SAMPLING_INTERVAL, 4,
        Elements.SAMPLING_ALGORITHM, 1
    };

    private static final int[] STATISTICS_FIELDS = {
        Elements.EXPORTING_PROCESS_ID, 4,
        Elements.EXPORTED_MESSAGE_TOTAL_COUNT, 8,
        Elements.EXPORTED_OCTET_TOTAL_COUNT, 8,
        Elements.EXPORTED_FLOW_RECORD_TOTAL_COUNT, 8,
        Elements.NOT_SENT_FLOW_TOTAL_COUNT, 8,
        Elements.NOT_SENT_PACKET_TOTAL_COUNT, 8,
        Elements.NOT_SENT_OCTET_TOTAL_COUNT, 8
    };

    private ExportOptions() {}

    /** Whether the message has room for the sampling options. */
    static boolean hasRoom(MessageWriter writer) {
        return writer.room() >= SAMPLING_LENGTH;
    }

    /** Writes the sampling options. */
    static void putSampling(MessageWriter writer, int interval) {
        int at = claim(writer, SAMPLING, SAMPLING_FIELDS);
        MutableDirectBuffer buffer = writer.buffer();
        buffer.putLong(at, 1, BIG_ENDIAN);
        buffer.putShort(at + 8, (short) SYSTEMATIC_BY_COUNT, BIG_ENDIAN);
        buffer.putInt(at + 10, 1, BIG_ENDIAN);
        buffer.putInt(at + 14, interval - 1, BIG_ENDIAN);
        buffer.putInt(at + 18, interval, BIG_ENDIAN);
        buffer.putByte(at + 22, (byte) SYSTEMATIC_BY_COUNT);
    }

    /**
     * Writes the counts of sent and unsent records.
     *
     * @param writer writer of the message
     * @param process identifier of the exporting process
     * @param counts messages, bytes and flow records sent; flow records, packets and bytes not sent
     */
    static void putStatistics(MessageWriter writer, long process, long[] counts) {
        int at = claim(writer, STATISTICS, STATISTICS_FIELDS);
        writer.buffer().putInt(at, (int) process, BIG_ENDIAN);
        for (int i = 0; i < counts.length; i++) {
            writer.buffer().putLong(at + 4 + 8 * i, counts[i], BIG_ENDIAN);
        }
    }

    /** Writes an options template and reserves room for one record of this template. */
    private static int claim(MessageWriter writer, int id, int[] fields) {
        int count = fields.length / 2;
        int at = writer.claim(OPTIONS_SET, HEADER_LENGTH + count * SPECIFIER_LENGTH, 0);
        MutableDirectBuffer buffer = writer.buffer();
        buffer.putShort(at, (short) id, BIG_ENDIAN);
        buffer.putShort(at + 2, (short) count, BIG_ENDIAN);
        buffer.putShort(at + 4, (short) 1, BIG_ENDIAN); // the first field is the scope
        int length = 0;
        for (int i = 0; i < count; i++) {
            buffer.putShort(at + HEADER_LENGTH + i * SPECIFIER_LENGTH, (short) fields[2 * i], BIG_ENDIAN);
            buffer.putShort(at + HEADER_LENGTH + i * SPECIFIER_LENGTH + 2, (short) fields[2 * i + 1], BIG_ENDIAN);
            length += fields[2 * i + 1];
        }
        return writer.claim(id, length, 1);
    }
}
