package io.chimera.apps.node.flows;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.queue.flow.FlowRecord;
import io.chimera.queue.flow.FlowSink;
import io.chimera.queue.ipfix.ExportSettings;
import io.chimera.queue.ipfix.IpfixExporter;

/** Flows that go to a collector on their way. A file waits for the collector, an interface does not. One thread. */
final class ExportedFlows implements FlowSink, AutoCloseable {
    private final FlowSink next;
    private final boolean waits;
    private final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    private final IpfixExporter exporter;

    /**
     * Flows that go nowhere yet.
     *
     * @param collector {@code ipfix:udp://host:port} or {@code ipfix:tcp://host:port}
     * @param waits whether a flow that finds no room waits, or is dropped and counted
     * @param next gets them too
     */
    ExportedFlows(String collector, boolean waits, FlowSink next) {
        this.next = next;
        this.waits = waits;
        exporter = new IpfixExporter(ExportSettings.of(collector), counters, new SystemClock());
    }

    @Override
    public boolean onFlow(FlowRecord record) {
        if (!next.onFlow(record)) {
            return false;
        }
        if (waits) {
            while (!exporter.onFlow(record)) {
                exporter.doWork();
            }
        } else {
            exporter.onFlowOrDrop(record);
        }
        return true;
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

    /** What became of them, in words. */
    String told() {
        return counters.get(QueueCounter.IPFIX_EXPORT_RECORDS) + " flow records exported, "
                + counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_DROPPED) + " dropped, "
                + (counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_LOST)
                        + counters.get(QueueCounter.IPFIX_EXPORT_RECORDS_UNCONFIRMED))
                + " perhaps lost on their way";
    }
}
