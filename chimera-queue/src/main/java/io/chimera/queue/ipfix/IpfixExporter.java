package io.chimera.queue.ipfix;

import io.chimera.api.HotPath;
import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.flow.FlowRecord;
import io.chimera.queue.flow.FlowSink;
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
 * Exports flow records to a collector as IPFIX (RFC 7011), both directions in one record (RFC 5103). Records are handed over by any
 * thread into a bounded queue; an agent of its own makes messages of them. Who may wait calls
 * {@link #onFlow}; who may not, {@link #onFlowOrDrop}.
 *
 * <p>Templates go ahead of the first record that needs them, once per session; by UDP they are told again and again. What was sent and what was not
 * is told in an observation domain of its own, beside the flows.
 */
public final class IpfixExporter implements Agent, FlowSink {
    private static final Logger LOG = LoggerFactory.getLogger(IpfixExporter.class);
    /** RFC 7011, 3.1: the observation domain of what is about the exporting process as a whole. */
    private static final int NO_DOMAIN = 0;

    private static final long MS_PER_S = 1_000;
    private static final int MESSAGE_TYPE = 1;
    private static final int RECORDS_PER_TURN = 1024;
    private static final int TEMPLATES_SET = 2;

    /** A message that is not full goes after so long. */
    private static final long DELAY_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /** What waits at the end is sent for so long. */
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

    /** The message with flows is full, or waits for long enough: nothing more goes into it. */
    private boolean isSealed;

    /** Nothing waits in a message. */
    private volatile boolean isSent = true;

    private long nowNs;
    private long firstNs;

    /** Templates that records have needed, a bit each. */
    private int usedTemplates;

    /** Templates to be told before anything else, a bit each. */
    private int dueTemplates;

    private boolean isSamplingDue;
    private boolean areStatisticsDue;
    private long toldNs;
    private int messagesSinceTold;

    private long messagesSent;
    private long bytesSent;
    private long recordsSent;

    /**
     * An exporter; connects when its agent works.
     *
     * @param settings where to, and how
     * @param counters the node's
     * @param clock the node's
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

    // what hands records over

    /** Hands a record over, which is copied; false when the queue is full: try again later. Any thread. */
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

    /** Hands a record over, or drops and counts it when the queue is full: for who cannot wait. Any thread. */
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

    /** Whether all that was handed over has been sent. Any thread may ask; the agent's knows. */
    public boolean isDrained() {
        return queue.size() == 0 && isSent;
    }

    // the agent

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

    /** Sends what is due to be told; false when not all of it could go. */
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

    /** Puts into a message what it holds of the templates that are due, and how packets were sampled. */
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

    /** Puts the record into the message, behind its template where it is the first that needs it; false when it is full. */
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

    /** Sends what waits, for some seconds at most; what does not go by then is dropped and counted. */
    @Override
    public void onClose() {
        long deadlineNs = clock.nanoTime() + CLOSE_NS_MAX;
        do {
            firstNs = nowNs - DELAY_NS; // a message that is not full goes at once
            doWork();
            Thread.onSpinWait();
        } while (!isDrained() && clock.nanoTime() - deadlineNs < 0);
        channel.close();
        int left = flows.records() + dropQueue();
        counters.add(QueueCounter.IPFIX_EXPORT_RECORDS_DROPPED, flows.records());
        flows.clear();
        if (left > 0) {
            LOG.warn(
                    "{} flow records were not exported: the collector {} did not take them.",
                    left,
                    settings.collector());
        }
    }

    /** A read ends where the memory of the queue does; what has gone round is found by the second. */
    private int dropQueue() {
        MessageHandler drop = (type, buffer, index, length) -> dropped(record.wrap(buffer, index));
        return queue.read(drop) + queue.read(drop);
    }
}
