package io.chimera.flow.ipfix.collector;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.chimera.api.HotPath;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;
import io.chimera.common.config.IpfixConfig;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.flow.ipfix.WireFormat;
import io.chimera.flow.table.FlowPoint;
import java.util.concurrent.TimeUnit;

/**
 * Parses messages with flow records: IPFIX (RFC 7011), NetFlow 9 (RFC 3954) and NetFlow 5, distinguished by their first
 * two bytes. Each flow becomes a data point. TCP carries IPFIX only, because an IPFIX message contains its own length.
 * Malformed input is counted by kind of error, and its first bytes go to the dead letters.
 *
 * <p>When the sink is full, parsing stops and later resumes at the same record. Only new exporters and templates cause
 * allocation.
 */
final class FlowMessages implements Parser {
    static final int NETFLOW_5 = 5;
    static final int NETFLOW_9 = 9;

    private static final int NETFLOW_5_HEADER_LENGTH = 24;
    private static final int NETFLOW_9_HEADER_LENGTH = 20;
    private static final int IPFIX_HEADER_LENGTH = 16;
    private static final int SET_HEADER_LENGTH = 4;
    private static final int SAMPLING_MASK = 0x3FFF;
    private static final long NS_PER_S = TimeUnit.SECONDS.toNanos(1);
    private static final long NS_PER_MS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);
    private static final int SAMPLE_LENGTH = 96;

    private final boolean isDatagram;
    private final boolean scales;
    private final long templateTimeoutNs;
    private final Exporters exporters;
    private final Counters<QueueCounter> counters;
    private final TemplateSets templateSets = new TemplateSets();
    private final DataRecords dataRecords;
    private final FlowPoint points;
    private final ExporterOrigin origin = new ExporterOrigin();
    private final DecodedFlow flow = new DecodedFlow();
    private final byte[] sample = new byte[2 * SAMPLE_LENGTH];

    private Chunk chunk;
    private PointSink sink;
    private byte[] bytes;

    // The current message; positions are relative to its first byte.
    private boolean isBegun;
    private int version;
    private int length;
    private Exporter exporter;
    private long exportNs;
    private long uptimeMs;
    private int position;
    private int records;

    /** Records written as points but not yet counted. */
    private int taken;

    private boolean areRecordsKnown;

    /** Template of the current set; null between sets. */
    private Template template;

    private int setEnd;

    /**
     * Creates a parser without known exporters.
     *
     * @param config configuration of the input
     * @param isDatagram whether messages arrive by UDP, one per datagram
     * @param room budget for the templates of the input
     * @param points converts flows to points
     * @param counters counters of the node
     */
    FlowMessages(
            IpfixConfig config,
            boolean isDatagram,
            TemplateRoom room,
            FlowPoint points,
            Counters<QueueCounter> counters) {
        this.isDatagram = isDatagram;
        this.points = points;
        this.counters = counters;
        scales = config.scale();
        templateTimeoutNs = config.templateTimeout().toNanos();
        exporters = new Exporters(config.exportersMax(), templateTimeoutNs, room, counters);
        dataRecords = new DataRecords(config.otherElements());
    }

    @Override
    public void reset() {
        isBegun = false;
        template = null;
        chunk = null;
        sink = null;
        bytes = null;
        if (!isDatagram) {
            exporters.clear();
        }
    }

    @Override
    public void close() {
        exporters.clear();
    }

    @Override
    @HotPath
    public boolean parse(Chunk input, PointSink target) {
        chunk = input;
        sink = target;
        bytes = input.bytes();
        while (!chunk.isEmpty()) {
            if (!isBegun && !begin()) {
                return true;
            }
            if (isBegun) {
                if (!proceed()) {
                    return false;
                }
                isBegun = false;
                chunk.consumedTo(chunk.offset() + length, 1);
            }
        }
        return true;
    }

    // header

    /** Begins the next message, or consumes malformed input; false when the rest of the message has not arrived yet. */
    private boolean begin() {
        int start = chunk.offset();
        int available = chunk.limit() - start;
        if (available < SET_HEADER_LENGTH) {
            return !isWhole() ? false : refuse(QueueCounter.IPFIX_BAD_LENGTH, "message ends before its header");
        }
        version = ByteField.u16(bytes, start);
        if (version == WireFormat.IPFIX) {
            return beginIpfix(start, available);
        }
        if (isDatagram && version == NETFLOW_9) {
            return beginNetflow9(start, available);
        }
        if (isDatagram && version == NETFLOW_5) {
            return beginNetflow5(start, available);
        }
        return refuse(
                QueueCounter.IPFIX_BAD_VERSION,
                isDatagram
                        ? "unknown message version; expected 5, 9 or 10 (IPFIX)"
                        : "message version is not 10 (IPFIX), the only version accepted over TCP");
    }

    /** Whether no further bytes of this message can arrive. */
    private boolean isWhole() {
        return isDatagram || chunk.last();
    }

    private boolean beginIpfix(int start, int available) {
        length = ByteField.u16(bytes, start + 2);
        if (length < IPFIX_HEADER_LENGTH) {
            return refuse(QueueCounter.IPFIX_BAD_LENGTH, "message shorter than its header");
        }
        if (length > available) {
            return !isWhole() ? false : refuse(QueueCounter.IPFIX_BAD_LENGTH, "message shorter than its length field");
        }
        exportNs = ByteField.u32(bytes, start + 4) * NS_PER_S;
        int sequence = (int) ByteField.u32(bytes, start + 8);
        begin(ByteField.u32(bytes, start + 12), sequence, QueueCounter.IPFIX_RECORDS_LOST, IPFIX_HEADER_LENGTH);
        uptimeMs = exporter == null ? 0 : exporter.uptimeMs(exportNs / NS_PER_MS);
        return true;
    }

    private boolean beginNetflow9(int start, int available) {
        if (available < NETFLOW_9_HEADER_LENGTH) {
            return refuse(QueueCounter.IPFIX_BAD_LENGTH, "message shorter than its header");
        }
        length = available;
        uptimeMs = ByteField.u32(bytes, start + 4);
        exportNs = ByteField.u32(bytes, start + 8) * NS_PER_S;
        int sequence = (int) ByteField.u32(bytes, start + 12);
        begin(ByteField.u32(bytes, start + 16), sequence, QueueCounter.IPFIX_MESSAGES_LOST, NETFLOW_9_HEADER_LENGTH);
        return true;
    }

    private boolean beginNetflow5(int start, int available) {
        if (available < NETFLOW_5_HEADER_LENGTH) {
            return refuse(QueueCounter.IPFIX_BAD_LENGTH, "message shorter than its header");
        }
        length = NETFLOW_5_HEADER_LENGTH + ByteField.u16(bytes, start + 2) * DataRecords.NETFLOW_5_LENGTH;
        if (length > available) {
            return refuse(QueueCounter.IPFIX_BAD_LENGTH, "message shorter than its length field");
        }
        uptimeMs = ByteField.u32(bytes, start + 4);
        exportNs = ByteField.u32(bytes, start + 8) * NS_PER_S + ByteField.u32(bytes, start + 12);
        int sequence = (int) ByteField.u32(bytes, start + 16);
        int engine = ByteField.u16(bytes, start + 20);
        begin(engine, sequence, QueueCounter.IPFIX_RECORDS_LOST, NETFLOW_5_HEADER_LENGTH);
        if (exporter != null) {
            exporter.sampling(0, ByteField.u16(bytes, start + 22) & SAMPLING_MASK);
        }
        return true;
    }

    private void begin(long domain, int sequence, QueueCounter lost, int headerLength) {
        long nowNs = sink.arrivalTimeNs();
        exporter = exporters.find(chunk.sender(), version, domain, nowNs);
        if (exporter != null) {
            exporter.sequence(sequence, lost, nowNs);
        }
        counters.increment(QueueCounter.IPFIX_MESSAGES);
        isBegun = true;
        position = headerLength;
        records = 0;
        areRecordsKnown = true;
        template = null;
    }

    /** Without a valid header the next message cannot be located: drops the datagram, or abandons the connection. */
    private boolean refuse(QueueCounter counter, String reason) {
        reject(counter, reason, chunk.offset(), chunk.limit());
        if (isDatagram) {
            chunk.consumedTo(chunk.limit(), 1);
        } else {
            chunk.abandon();
        }
        return true;
    }

    private void reject(QueueCounter counter, String reason, int start, int end) {
        counters.increment(counter);
        int shown = Math.min(end - start, SAMPLE_LENGTH);
        for (int i = 0; i < shown; i++) {
            sample[2 * i] = HEX[(bytes[start + i] >> 4) & 0xF];
            sample[2 * i + 1] = HEX[bytes[start + i] & 0xF];
        }
        sink.reject(sample, 0, 2 * shown, chunk.line(), reason);
    }

    // records

    /** Continues the message; false when the sink is full. */
    private boolean proceed() {
        if (exporter == null) {
            return true;
        }
        boolean isDone = version == NETFLOW_5 ? netflow5() : sets();
        counters.add(QueueCounter.IPFIX_RECORDS, taken);
        taken = 0;
        if (isDone && version == NETFLOW_9) {
            exporter.sequenceMoved(1);
        } else if (isDone && areRecordsKnown) {
            exporter.sequenceMoved(records);
        }
        return isDone;
    }

    private boolean netflow5() {
        int base = chunk.offset();
        while (position < length) {
            DataRecords.netflow5(bytes, base + position, flow);
            if (!handOn()) {
                return false;
            }
            position += DataRecords.NETFLOW_5_LENGTH;
            records++;
        }
        return true;
    }

    private boolean sets() {
        while (template != null || length - position >= SET_HEADER_LENGTH) {
            if (template == null) {
                beginSet();
            } else if (setEnd - position < template.minLength()) {
                position = setEnd; // the rest of the set is padding
                template = null;
            } else if (!record()) {
                return false;
            }
        }
        return true;
    }

    private void beginSet() {
        int start = chunk.offset() + position;
        int set = ByteField.u16(bytes, start);
        int setLength = ByteField.u16(bytes, start + 2);
        if (setLength < SET_HEADER_LENGTH || setLength > length - position) {
            bad(QueueCounter.IPFIX_BAD_SET, "set shorter than its header, or longer than the rest of the message");
            position = length;
            return;
        }
        setEnd = position + setLength;
        if (TemplateSets.isTemplates(set, version == WireFormat.IPFIX)) {
            String wrong = templateSets.read(
                    exporter,
                    set,
                    bytes,
                    start + SET_HEADER_LENGTH,
                    start + setLength,
                    version == WireFormat.IPFIX,
                    sink.arrivalTimeNs());
            if (wrong != null) {
                bad(QueueCounter.IPFIX_BAD_TEMPLATE, wrong);
            }
            position = setEnd;
        } else if (set < WireFormat.DATA_SETS) {
            bad(QueueCounter.IPFIX_BAD_SET, "set has a reserved number");
            position = setEnd;
        } else {
            beginData(set);
        }
    }

    private void beginData(int set) {
        template = exporter.template(set);
        if (template != null && isDatagram && sink.arrivalTimeNs() - template.toldNs() > templateTimeoutNs) {
            exporter.expire(set);
            template = null;
        }
        if (template == null) {
            counters.increment(QueueCounter.IPFIX_SETS_UNTOLD);
            exporter.untold(set);
            areRecordsKnown = false;
            position = setEnd;
        } else {
            position += SET_HEADER_LENGTH;
        }
    }

    /** Decodes one record; false when the sink is full. */
    private boolean record() {
        int base = chunk.offset();
        int start = base + position;
        int end = base + setEnd;
        int next = template.isOptions()
                ? dataRecords.options(template, bytes, start, end, exporter)
                : dataRecords.flow(template, bytes, start, end, exportNs, flow);
        if (next == DataRecords.TRUNCATED) {
            bad(QueueCounter.IPFIX_BAD_RECORD, "record longer than the rest of its set");
            areRecordsKnown = false;
            position = setEnd;
            template = null;
            return true;
        }
        if (template.isOptions()) {
            counters.increment(QueueCounter.IPFIX_RECORDS_OF_OPTIONS);
        } else if (!handOn()) {
            return false;
        }
        position = next - base;
        records++;
        return true;
    }

    private void bad(QueueCounter counter, String reason) {
        reject(counter, reason, chunk.offset(), chunk.offset() + length);
    }

    /** Writes the flow as a point; false when the sink is full. */
    private boolean handOn() {
        if (!flow.isFlow()) {
            counters.increment(QueueCounter.IPFIX_RECORDS_OTHER);
            return true;
        }
        flow.complete(exportNs, uptimeMs);
        long told = flow.samplingInterval;
        flow.samplingInterval = told > 0 ? told : Math.max(1, exporter.samplingInterval(flow.samplerId));
        if (scales) {
            flow.scale(flow.samplingInterval);
        }
        int ended = points.write(flow.record(), origin.wrap(flow, exporter), sink);
        if (ended == FlowPoint.NO_ROOM) {
            return false;
        }
        if (ended == PointSink.OK) {
            taken++;
        } else {
            bad(QueueCounter.IPFIX_BAD_RECORD, PointSink.reasonOf(ended));
        }
        return true;
    }
}
