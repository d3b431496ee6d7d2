package io.chimera.flow.ipfix.exporter;

import io.chimera.api.HotPath;
import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.flow.table.FlowRecord;
import io.chimera.flow.table.FlowSink;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exports flow records to a collector as IPFIX (RFC 7011), with both directions in one record (RFC 5103). Any thread
 * hands records over through a bounded queue; a dedicated agent builds the messages. Callers able to wait use {@link
 * #onFlow}, all other callers {@link #onFlowOrDrop}.
 *
 * <p>A template precedes its first record, once per session; over UDP templates are repeated. Counts of sent and unsent
 * records are exported in a separate observation domain.
 */
public final class IpfixExporter implements Agent, FlowSink {
    private static final Logger LOG = LoggerFactory.getLogger(IpfixExporter.class);
    /** Observation domain of records about the exporting process as a whole (RFC 7011, 3.1). */
    private static final int NO_DOMAIN = 0;

    private static final long MS_PER_S = 1_000;
    private static final int MESSAGE_TYPE = 1;
    private static final int RECORDS_PER_TURN = 1024;
    private static final int TEMPLATES_SET = 2;

    /** Maximum time a partly filled message waits for further records. */
    private static final long DELAY_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Maximum time for sending waiting records during close. */
    private static final long CLOSE_NS_MAX = TimeUnit.SECONDS.toNanos(5);

    private final ExportSettings settings;
    private final Counters<QueueCounter> counters;
    private final Clock clock;
    private final ExportChannel channel;
    private final ManyToOneRingBuffer queue;
    private final ExportTemplate[] templates;
    private final MessageWriter flows;
    private final MessageWriter control;
    private final MessageWriter statistics;
    private final FlowRecord record = new FlowRecord();
    private final long[] told = new long[ExportOptions.STATISTICS_COUNTS];
    private final ControlledMessageHandler handler = this::take;

    private int session;
    private long sequence;
    private long statisticsSequence;

    /** Whether the flow message accepts no further records: full, or waiting for {@link #DELAY_NS}. */
    private boolean isSealed;

    /** Whether no message holds unsent records. */
    private volatile boolean isSent = true;

    private long nowNs;
    private long firstNs;

    /** Templates used by records so far, one bit each. */
    private int usedTemplates;

    /** Templates to send before any further record, one bit each. */
    private int dueTemplates;

    private boolean isSamplingDue;
    private boolean areStatisticsDue;
    private long toldNs;
    private int messagesSinceTold;

    private long messagesSent;
    private long bytesSent;
    private long recordsSent;

    /**
     * Creates an exporter; the agent connects during its first turns.
     *
     * @param settings collector and export options
     * @param counters counters of the node
     * @param clock clock of the node
     */
    public IpfixExporter(ExportSettings settings, Counters<QueueCounter> counters, Clock clock) {
        this(settings, channel(settings, counters), counters, clock);
    }

    IpfixExporter(ExportSettings settings, ExportChannel channel, Counters<QueueCounter> counters, Clock clock) {
        this.settings = settings;
        this.counters = counters;
        this.clock = clock;
        this.channel = channel;
        queue = new ManyToOneRingBuffer(new UnsafeBuffer(
                ByteBuffer.allocateDirect(settings.queueBytes() + RingBufferDescriptor.TRAILER_LENGTH)));
        templates = ExportTemplate.all(settings.time());
        flows = new MessageWriter(settings.messageBytesMax(), settings.domain());
        control = new MessageWriter(settings.messageBytesMax(), settings.domain());
        statistics = new MessageWriter(ExportOptions.MESSAGE_LENGTH, NO_DOMAIN);
        toldNs = clock.nanoTime();
    }

    private static ExportChannel channel(ExportSettings settings, Counters<QueueCounter> counters) {
        return settings.transport() == ExportSettings.Transport.TCP
                ? new TcpExportChannel(settings.collector(), settings.messageBytesMax(), counters)
                : new UdpExportChannel(settings.collector(), settings.messagesPerSecond(), counters);
    }

    // producers

    /** Copies a record into the queue; false when the queue is full and the caller should retry later. Any thread. */
    @Override
    @HotPath
    public boolean onFlow(FlowRecord flow) {
        int index = queue.tryClaim(MESSAGE_TYPE, FlowRecord.LENGTH);
        if (index < 0) {
            return false;
        }
        flow.copyTo(queue.buffer(), index);
        queue.commit(index);
        return true;
    }

    /** Copies a record into the queue, or drops and counts the record when the queue is full. Any thread. */
    @HotPath
    public void onFlowOrDrop(FlowRecord flow) {
        if (!onFlow(flow)) {
            dropped(flow);
        }
    }

    private void dropped(FlowRecord flow) {
        counters.increment(QueueCounter.IPFIX_EXPORT_RECORDS_DROPPED);
        counters.add(QueueCounter.IPFIX_EXPORT_PACKETS_DROPPED, flow.forwardPackets() + flow.reversePackets());
        counters.add(QueueCounter.IPFIX_EXPORT_BYTES_DROPPED, flow.forwardBytes() + flow.reverseBytes());
    }

    /**
     * Whether all records handed over were sent. Any thread may call this; only the agent's thread gets an exact
     * answer.
     */
    public boolean isDrained() {
        return queue.size() == 0 && isSent;
    }

    // agent

    @Override
    public int doWork() {
        nowNs = clock.nanoTime();
        int work = channel.proceed(nowNs);
        if (channel.session() == ExportChannel.NO_SESSION) {
            return work;
        }
        if (channel.session() != session) {
            beginSession();
        }
        if (isTellingDue()) {
            tellAgain();
        }
        if (!sendControl() || (isSealed && !sendFlows())) {
            return work;
        }
        work += queue.controlledRead(handler, RECORDS_PER_TURN);
        if (!isSealed && !flows.isEmpty() && nowNs - firstNs >= DELAY_NS) {
            isSealed = true;
            work += sendFlows() ? 1 : 0;
        }
        isSent = flows.isEmpty() && channel.isFlushed();
        return work;
    }

    private void beginSession() {
        session = channel.session();
        sequence = 0;
        statisticsSequence = 0;
        tellAgain();
    }

    private boolean isTellingDue() {
        return settings.transport() == ExportSettings.Transport.UDP
                && (nowNs - toldNs >= settings.templatesEvery().toNanos()
                        || messagesSinceTold >= settings.templatesEveryMessages());
    }

    private void tellAgain() {
        dueTemplates = usedTemplates;
        isSamplingDue = settings.samplingInterval() > 1;
        areStatisticsDue = true;
        toldNs = nowNs;
        messagesSinceTold = 0;
    }

    /** Sends due templates, sampling options and statistics; false when some could not be sent. */
    private boolean sendControl() {
        while (dueTemplates != 0 || isSamplingDue || !control.isEmpty()) {
            fillControl();
            if (!send(control)) {
                return false;
            }
        }
        if (areStatisticsDue) {
            putStatistics();
            areStatisticsDue = false;
        }
        return statistics.isEmpty() || send(statistics);
    }

    /** Fills the control message with due templates and the sampling options, as far as there is room. */
    private void fillControl() {
        while (dueTemplates != 0) {
            int kind = Integer.numberOfTrailingZeros(dueTemplates);
            if (!define(control, templates[kind])) {
                return;
            }
            dueTemplates &= dueTemplates - 1;
        }
        if (isSamplingDue && ExportOptions.hasRoom(control)) {
            ExportOptions.putSampling(control, settings.samplingInterval());
            isSamplingDue = false;
        }
    }

    private void putStatistics() {
        statistics.clear();
        told[0] = messagesSent;
        told[1] = bytesSent;
        told[2] = recordsSent;
        told[3] = counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_DROPPED);
        told[4] = counters.get(QueueCounter.IPFIX_EXPORT_PACKETS_DROPPED);
        told[5] = counters.get(QueueCounter.IPFIX_EXPORT_BYTES_DROPPED);
        ExportOptions.putStatistics(statistics, settings.domain(), told);
    }

    private static boolean define(MessageWriter writer, ExportTemplate template) {
        int at = writer.claim(TEMPLATES_SET, template.definitionLength(), 0);
        if (at == MessageWriter.FULL) {
            return false;
        }
        template.define(writer.buffer(), at);
        return true;
    }

    private ControlledMessageHandler.Action take(int type, MutableDirectBuffer buffer, int index, int length) {
        record.wrap(buffer, index);
        if (put() || (sendFlows() && put())) {
            return ControlledMessageHandler.Action.CONTINUE;
        }
        return ControlledMessageHandler.Action.ABORT;
    }

    /**
     * Appends the record to the message, after its template on the first use of that template; false when the message
     * is full.
     */
    @HotPath
    private boolean put() {
        int kind = ExportTemplate.kindOf(record);
        ExportTemplate template = templates[kind];
        if ((usedTemplates & (1 << kind)) == 0) {
            if (!define(flows, template)) {
                isSealed = true;
                return false;
            }
            usedTemplates |= 1 << kind;
        }
        boolean isFirst = flows.isEmpty();
        int at = flows.claim(template.id(), template.recordLength(), 1);
        if (at == MessageWriter.FULL) {
            isSealed = true;
            return false;
        }
        template.put(record, flows.buffer(), at);
        firstNs = isFirst ? nowNs : firstNs;
        return true;
    }

    private boolean sendFlows() {
        int records = flows.records();
        boolean isTaken = send(flows);
        if (isTaken) {
            recordsSent += records;
            counters.add(QueueCounter.IPFIX_EXPORT_RECORDS, records);
            isSealed = false;
        }
        return isTaken;
    }

    private boolean send(MessageWriter message) {
        boolean isOfDomain = message != statistics;
        ByteBuffer bytes = message.seal(clock.epochMs() / MS_PER_S, isOfDomain ? sequence : statisticsSequence);
        int length = bytes.remaining();
        if (channel.session() != session || !channel.send(bytes, message.records(), nowNs)) {
            return false;
        }
        if (isOfDomain) {
            sequence += message.records();
        } else {
            statisticsSequence += message.records();
        }
        messagesSent++;
        messagesSinceTold++;
        bytesSent += length;
        counters.increment(QueueCounter.IPFIX_EXPORT_MESSAGES);
        counters.add(QueueCounter.IPFIX_EXPORT_BYTES, length);
        message.clear();
        return true;
    }

    @Override
    public String roleName() {
        return "ipfix-export";
    }

    /** Sends waiting records for at most five seconds, then drops and counts the rest. */
    @Override
    public void onClose() {
        long deadlineNs = clock.nanoTime() + CLOSE_NS_MAX;
        do {
            firstNs = nowNs - DELAY_NS; // forces a partly filled message out immediately
            doWork();
            Thread.onSpinWait();
        } while (!isDrained() && clock.nanoTime() - deadlineNs < 0);
        channel.close();
        int left = flows.records() + dropQueue();
        counters.add(QueueCounter.IPFIX_EXPORT_RECORDS_DROPPED, flows.records());
        flows.clear();
        if (left > 0) {
            LOG.warn(
                    "Dropped {} flow records at shutdown: collector {} did not accept the records in time.",
                    left,
                    settings.collector());
        }
    }

    /**
     * Drops all queued records. One read stops where the queue's memory wraps around; the second read gets the rest.
     */
    private int dropQueue() {
        MessageHandler drop = (type, buffer, index, length) -> dropped(record.wrap(buffer, index));
        return queue.read(drop) + queue.read(drop);
    }
}
