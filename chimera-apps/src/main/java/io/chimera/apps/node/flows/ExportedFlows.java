package io.chimera.apps.node.flows;

import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.flow.FlowRecord;
import io.chimera.queue.flow.FlowSink;
import io.chimera.queue.ipfix.ExportSettings;
import io.chimera.queue.ipfix.IpfixExporter;
import java.time.Duration;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flows that go to a collector on their way. Those of a file wait for the collector, but not for one that stands still; those of an
 * interface never wait. What cannot wait is dropped and counted. One thread.
 */
final class ExportedFlows implements FlowSink, AutoCloseable {
    /** A collector may write to a slow disk, or be started anew. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(ExportedFlows.class);

    private final ExportSettings settings;
    private final Duration patience;
    private final Clock clock;
    private final FlowSink next;
    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private final IpfixExporter exporter;
    private final IdleStrategy idle = new BackoffIdleStrategy();

    /** The collector took nothing for as long as anybody waits, and has taken nothing since. */
    private boolean isGivenUp;

    /**
     * Flows that go nowhere yet.
     *
     * @param settings where to
     * @param patience how long a flow waits for a collector that takes none; zero: not at all
     * @param clock measures it
     * @param next gets them too
     */
    ExportedFlows(ExportSettings settings, Duration patience, Clock clock, FlowSink next) {
        this.settings = settings;
        this.patience = patience;
        this.clock = clock;
        this.next = next;
        exporter = new IpfixExporter(settings, counters, clock);
    }

    @Override
    public boolean onFlow(FlowRecord record) {
        if (!next.onFlow(record)) {
            return false;
        }
        if (exporter.onFlow(record)) {
            isGivenUp = false;
        } else if (isGivenUp || !isTakenInTime(record)) {
            exporter.onFlowOrDrop(record);
            exporter.doWork();
        }
        return true;
    }

    private boolean isTakenInTime(FlowRecord record) {
        long sinceNs = clock.nanoTime();
        while (clock.nanoTime() - sinceNs < patience.toNanos()) {
            idle.idle(exporter.doWork());
            if (exporter.onFlow(record)) {
                return true;
            }
        }
        if (!patience.isZero()) {
            isGivenUp = true;
            LOG.warn(
                    "The collector {} has taken no flow record for {} s. Those that come now are dropped and counted until it"
                            + " takes some again; look whether it reads.",
                    settings.collector(),
                    patience.toSeconds());
        }
        return false;
    }

    /** Sends what has come. */
    void send() {
        exporter.doWork();
    }

    /** Sends the rest, for some seconds at most. */
    @Override
    public void close() {
        exporter.onClose();
    }

    /** Records that were not sent. */
    long dropped() {
        return counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_DROPPED);
    }

    /** Records that were sent, of which nobody knows whether they arrived. */
    long unsure() {
        return counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_LOST)
                + counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_UNCONFIRMED);
    }

    /** What became of them, in words. */
    String told() {
        return counters.get(QueueCounter.IPFIX_EXPORT_RECORDS) + " flow records exported, " + dropped() + " dropped, "
                + unsure() + " perhaps lost on their way";
    }
}
