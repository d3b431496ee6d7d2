package io.chimera.flow.capture;

import io.chimera.common.agent.Clock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.jni.capture.CaptureCounters;
import io.chimera.jni.capture.CaptureException;
import io.chimera.jni.capture.PacketCapture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives packets for the lifetime of the input (SNIFFER of Fais et al. 2021, section 5.1). A failed live capture is
 * reopened repeatedly; a damaged file ends at the damage. Used by one thread.
 */
final class Sniffer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Sniffer.class);

    private static final long AGAIN_MS = 1_000;
    private static final long TELL_MS = 500;

    private final String name;
    private final Supplier<PacketCapture> opener;
    private final boolean isLive;
    private final boolean isInside;
    private final Clock clock;
    private final Counters<QueueCounter> counters;
    private final CaptureCounters counted = new CaptureCounters();
    private PacketCapture capture;
    private PacketSource source;
    private long failedMs;
    private long toldMs;
    private long droppedRing;
    private long droppedInterface;

    /**
     * Opens the capture.
     *
     * @param name name of the input
     * @param opener opens and reopens the capture
     * @param isLive whether a reopened capture continues; a file would start over
     * @throws CaptureException when the capture cannot be opened
     * @throws IllegalArgumentException when the capture has an unsupported link type
     */
    Sniffer(
            String name,
            Supplier<PacketCapture> opener,
            boolean isLive,
            boolean isInside,
            Clock clock,
            Counters<QueueCounter> counters) {
        this.name = name;
        this.opener = opener;
        this.isLive = isLive;
        this.isInside = isInside;
        this.clock = clock;
        this.counters = counters;
        open();
    }

    private void open() {
        PacketCapture opened = opener.get();
        try {
            source = new PacketSource(opened, isInside);
        } catch (IllegalArgumentException e) {
            opened.close();
            throw e;
        }
        capture = opened;
        droppedRing = 0;
        droppedInterface = 0;
    }

    /**
     * Receives packets like {@link PacketSource#receive}, without waiting; returns 0 while the capture is closed after
     * a failure.
     */
    int receive(long tuples) {
        long nowMs = clock.epochMs();
        if (capture == null && !reopen(nowMs)) {
            return 0;
        }
        try {
            int count = source.receive(tuples, 0);
            if (count == PacketCapture.END || nowMs - toldMs >= TELL_MS) {
                toldMs = nowMs;
                tell();
            }
            return count;
        } catch (CaptureException e) {
            return failed(e, nowMs);
        }
    }

    private int failed(CaptureException cause, long nowMs) {
        counters.increment(QueueCounter.CAPTURE_FAILURES);
        if (isLive) {
            LOG.warn("Capture of input {} failed; reopening every second.", name, cause);
            failedMs = nowMs;
            close();
            return 0;
        }
        LOG.error("Cannot read the file of input {} to the end; all data before the error was processed.", name, cause);
        return PacketCapture.END;
    }

    private boolean reopen(long nowMs) {
        if (nowMs - failedMs < AGAIN_MS) {
            return false;
        }
        try {
            open();
            LOG.info("Reopened the capture of input {}.", name);
            return true;
        } catch (CaptureException | IllegalArgumentException e) {
            failedMs = nowMs; // logged at the first failure
            return false;
        }
    }

    private void tell() {
        capture.counters(counted);
        counters.add(QueueCounter.CAPTURE_DROPPED_RING, counted.droppedRing() - droppedRing);
        counters.add(QueueCounter.CAPTURE_DROPPED_INTERFACE, counted.droppedInterface() - droppedInterface);
        droppedRing = counted.droppedRing();
        droppedInterface = counted.droppedInterface();
    }

    @Override
    public void close() {
        if (capture != null) {
            capture.close();
            capture = null;
        }
    }
}
