package io.chimera.node.flows;

import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.flow.ipfix.exporter.ExportSettings;
import io.chimera.flow.ipfix.exporter.IpfixExporter;
import io.chimera.flow.table.FlowRecord;
import io.chimera.flow.table.FlowSink;
import java.time.Duration;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Exports flows to a collector and passes them on. Flows of a file wait for the collector, with a time limit; flows of
 * an interface never wait. Flows that cannot wait are dropped and counted. One thread.
 */
final class ExportedFlows implements FlowSink, AutoCloseable {
    /** Time limit for the flows of a file: a collector may write to a slow disk or restart. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(ExportedFlows.class);

    private final ExportSettings settings;
    private final Duration patience;
    private final Clock clock;
    private final FlowSink next;
    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private final IpfixExporter exporter;
    private final IdleStrategy idle = new BackoffIdleStrategy();

    /** Whether the collector exceeded the time limit and has accepted no flow since. */
    private boolean isGivenUp;

    /**
     * Creates an exporter.
     *
     * @param settings the collector
     * @param patience maximum wait of a flow for the collector; zero for no wait
     * @param clock clock of the wait
     * @param next receives all flows too
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
                    "Collector accepts no flow records, dropping further records: collector={} seconds={}."
                            + " Check whether the collector reads.",
                    settings.collector(),
                    patience.toSeconds());
        }
        return false;
    }

    /** Sends buffered flows. */
    void send() {
        exporter.doWork();
    }

    /** Sends the remaining flows, for a few seconds at most. */
    @Override
    public void close() {
        exporter.onClose();
    }

    /** Returns the number of dropped records. */
    long dropped() {
        return counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_DROPPED);
    }

    /** Returns the number of sent records without confirmation of their arrival. */
    long unsure() {
        return counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_LOST)
                + counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_UNCONFIRMED);
    }

    /** Formats the counts for display. */
    String told() {
        return counters.get(QueueCounter.IPFIX_EXPORT_RECORDS) + " flow records exported, " + dropped() + " dropped, "
                + unsure() + " unconfirmed";
    }
}
