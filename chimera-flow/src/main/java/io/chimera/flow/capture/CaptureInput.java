package io.chimera.flow.capture;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.Clock;
import io.chimera.common.config.CaptureConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.flow.table.FlowId;
import io.chimera.flow.table.FlowPoint;
import io.chimera.flow.table.FlowTableSettings;
import io.chimera.jni.capture.CaptureException;
import io.chimera.jni.capture.CaptureOptions;
import io.chimera.jni.capture.Captures;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;

/** Input of type capture: converts an interface's packets to data points of flows in the ring, on dedicated threads. */
public final class CaptureInput implements AutoCloseable {
    private static final String FILE = "file";

    private final AgentThreads threads;
    private final FlowOutlet outlet;
    private final TupleBatches batches;
    private final CapturePipeline pipeline;
    private boolean isStarted;

    /**
     * Opens the capture without receiving packets yet.
     *
     * @param name name of the input
     * @param ordinal position of the input among the configured inputs, by name
     * @param plan settings of the capture, and assembly of its operators
     * @param ring ring for the points
     * @param errors receives exceptions of the agents
     * @throws ChimeraException when the capture cannot be opened; the message names a remedy
     */
    public CaptureInput(
            String name,
            int ordinal,
            CapturePlan plan,
            BatchRing ring,
            Clock clock,
            Counters<QueueCounter> counters,
            ErrorHandler errors) {
        CaptureConfig config = plan.config();
        threads = new AgentThreads(name, errors);
        outlet = new FlowOutlet(ring, new FlowPoint(plan.flow()), ordinal, counters);
        batches = new TupleBatches(plan.isPooled());
        RecordSink sink = new RecordSink(outlet, clock, TupleBatches.COUNT + 1);
        FlowTableSettings table =
                new FlowTableSettings(config.flowsMax(), config.idle(), config.active(), config.tcpEnd());
        FlowStats stats = new FlowStats(table, sink::isBehind, clock, counters);
        CaptureOptions options = options(name, config);
        pipeline = new CapturePipeline(
                sniffer(name, options, config.inside(), clock, counters),
                new FlowId(plan.seed(), config.byVlan()),
                stats,
                sink,
                batches,
                clock,
                isLive(options),
                plan.edges());
    }

    private static boolean isLive(CaptureOptions options) {
        return !options.backEnd().equals(FILE);
    }

    private static CaptureOptions options(String name, CaptureConfig config) {
        try {
            return CaptureOptions.of(config.source())
                    .withFilter(config.filter())
                    .withSnapLength(config.snapLength())
                    .withRingBytes(config.ring().intBytes())
                    .withPromiscuous(config.promiscuous());
        } catch (IllegalArgumentException e) {
            throw refused(name, e);
        }
    }

    private static Sniffer sniffer(
            String name, CaptureOptions options, boolean isInside, Clock clock, Counters<QueueCounter> counters) {
        try {
            return new Sniffer(name, () -> Captures.open(options), isLive(options), isInside, clock, counters);
        } catch (CaptureException | IllegalArgumentException e) {
            throw refused(name, e);
        }
    }

    private static ChimeraException refused(String name, RuntimeException cause) {
        return new ChimeraException(Category.FATAL, "Input " + name + " cannot capture: " + cause.getMessage(), cause);
    }

    /** Starts the agents. */
    public void start() {
        isStarted = true;
        for (Agent agent : pipeline.agents()) {
            threads.start(agent);
        }
    }

    /** Stops receiving packets, and emits all remaining flows. */
    public void stop() {
        pipeline.stop();
    }

    /** Returns the amount of work not yet journaled after {@link #stop}; 0 when finished. Thread-safe. */
    public int unanswered() {
        return isStarted && !pipeline.isDone() ? 1 : outlet.underWay();
    }

    /** Stops the threads and frees the batches. */
    @Override
    public void close() {
        threads.close();
        batches.close();
    }
}
