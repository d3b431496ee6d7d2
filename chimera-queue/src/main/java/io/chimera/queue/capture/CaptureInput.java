package io.chimera.queue.capture;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.Clock;
import io.chimera.common.config.CaptureConfig;
import io.chimera.common.config.FlowConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.jni.capture.CaptureException;
import io.chimera.jni.capture.CaptureOptions;
import io.chimera.jni.capture.Captures;
import io.chimera.queue.flow.FlowId;
import io.chimera.queue.flow.FlowPoint;
import io.chimera.queue.flow.FlowTableSettings;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;

/** An input of type capture: from an interface to data points of flows in the ring, on threads of its own. */
public final class CaptureInput implements AutoCloseable {
    private static final String FILE = "file";

    private final AgentThreads threads;
    private final FlowOutlet outlet;
    private final TupleBatches batches;
    private final CapturePipeline pipeline;
    private boolean isStarted;

    /**
     * Opens the capture; nothing is received yet.
     *
     * @param name of the input
     * @param ordinal the input's place, by name, among the configured inputs
     * @param config what is captured
     * @param flow how flows become points
     * @param seed of the hash of flows
     * @param ring where points go
     * @param errors hears what the agents throw
     * @throws ChimeraException when it cannot be opened; says what to do
     */
    public CaptureInput(
            String name,
            int ordinal,
            CaptureConfig config,
            FlowConfig flow,
            long seed,
            BatchRing ring,
            Clock clock,
            Counters<QueueCounter> counters,
            ErrorHandler errors) {
        threads = new AgentThreads(name, errors);
        outlet = new FlowOutlet(ring, new FlowPoint(flow), ordinal, counters);
        batches = new TupleBatches(config.pool());
        RecordSink sink = new RecordSink(outlet, clock, TupleBatches.COUNT + 1);
        FlowTableSettings table =
                new FlowTableSettings(config.flowsMax(), config.idle(), config.active(), config.tcpEnd());
        FlowStats stats = new FlowStats(table, sink::isBehind, clock, counters);
        CaptureOptions options = options(name, config);
        pipeline = new CapturePipeline(
                sniffer(name, options, config.inside(), clock, counters),
                new FlowId(seed, config.byVlan()),
                stats,
                sink,
                batches,
                clock,
                isLive(options),
                config.edges());
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

    /** Begins. */
    public void start() {
        isStarted = true;
        for (Agent agent : pipeline.agents()) {
            threads.start(agent);
        }
    }

    /** Lets no more packets in, and hands on all flows that are there. */
    public void stop() {
        pipeline.stop();
    }

    /** After {@link #stop}: what is not in the journal yet, 0 when all is. Any thread. */
    public int unanswered() {
        return isStarted && !pipeline.isDone() ? 1 : outlet.underWay();
    }

    /** Ends the threads. */
    @Override
    public void close() {
        threads.close();
        batches.close();
    }
}
