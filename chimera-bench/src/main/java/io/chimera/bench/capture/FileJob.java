package io.chimera.bench.capture;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.CaptureConfig;
import io.chimera.common.config.FlowConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.BlockConfig.Edge;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.ring.Completion;
import io.chimera.common.wire.BatchLayout;
import io.chimera.flow.capture.CaptureInput;
import io.chimera.flow.capture.CapturePlan;
import io.chimera.flow.capture.FlowKeys;
import io.chimera.flow.capture.FlowMeter;
import io.chimera.flow.table.FlowTableSettings;
import io.chimera.jni.capture.CaptureOptions;
import io.chimera.jni.capture.Captures;
import io.chimera.jni.capture.PacketCapture;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** Jobs of a process on a file of packets. */
enum FileJob {
    /** Parser and full flow table alone, on one thread. */
    CHIMERA(null, false),
    /** The minimal loop. */
    LOOP(null, false),
    /** All operators of an input on one thread, with batches from a pool. */
    DIRECT_POOL(Edge.DIRECT, true),
    /** All operators of an input on one thread, with allocated and freed batches. */
    DIRECT_NO_POOL(Edge.DIRECT, false),
    /** One thread per operator, with batches from a pool. */
    QUEUED_POOL(Edge.QUEUED, true),
    /** One thread per operator, with allocated and freed batches. */
    QUEUED_NO_POOL(Edge.QUEUED, false);

    private static final int RING_SLOTS = 64;

    private final Edge edges;
    private final boolean isPooled;

    FileJob(Edge edges, boolean isPooled) {
        this.edges = edges;
        this.isPooled = isPooled;
    }

    /** Returns the name in figures. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether this job is one of the paper's four variants. */
    boolean isVariant() {
        return edges != null;
    }

    /** Reads a file once. */
    Counted run(Path file, int flowsMax) throws IOException {
        if (isVariant()) {
            return input(file, flowsMax);
        }
        return this == LOOP ? FlowLoop.run(file, flowsMax) : meter(file, flowsMax);
    }

    private static Counted meter(Path file, int flowsMax) {
        try (PacketCapture capture = Captures.open(CaptureOptions.of("file:" + file))) {
            FlowMeter meter = new FlowMeter(
                    capture, new FlowKeys(true, false, 0), FlowTableSettings.of(flowsMax), record -> true);
            long startNs = System.nanoTime();
            int count = meter.poll(0);
            while (count != PacketCapture.END) {
                count = meter.poll(0);
            }
            meter.flush();
            long wallNs = System.nanoTime() - startNs;
            return new Counted(meter.counts().packets(), meter.counts().flows(), wallNs);
        }
    }

    /**
     * Runs the input of a queue node; instead of the journaler, a thread empties the ring without reading the points.
     */
    private Counted input(Path file, int flowsMax) {
        CaptureConfig config = Sections.of(CaptureConfig.class, "source", "file:" + file, "flows_max", flowsMax);
        CapturePlan plan = new CapturePlan(config, FlowConfig.DEFAULT, 0, edges, isPooled);
        Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
        BatchRing ring = new BatchRing(RING_SLOTS, BatchLayout.LENGTH_MAX);
        long wallNs;
        try (CaptureInput input =
                new CaptureInput("packets", 0, plan, ring, new SystemClock(), counters, FileJob::fail)) {
            long startNs = System.nanoTime();
            input.start();
            while (input.unanswered() > 0) {
                int taken = ring.poll(
                        slot -> {
                            ((Completion) slot.attachment()).journaled();
                            return true;
                        },
                        RING_SLOTS);
                if (taken == 0) {
                    pause();
                }
            }
            wallNs = System.nanoTime() - startNs;
        }
        return new Counted(
                counters.get(QueueCounter.CAPTURE_PACKETS), counters.get(QueueCounter.CAPTURE_FLOWS), wallNs);
    }

    /** Pauses for a time that is short compared with a pass, and long compared with the cost of a poll. */
    private static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while packets are counted.", e);
        }
    }

    private static void fail(Throwable cause) {
        cause.printStackTrace();
        System.exit(1); // otherwise the process would wait forever
    }
}
