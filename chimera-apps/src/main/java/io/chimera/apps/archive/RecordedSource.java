package io.chimera.apps.archive;

import io.chimera.archive.query.PacketArchive;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.jni.capture.CaptureCounters;
import io.chimera.jni.capture.CaptureOptions;
import io.chimera.jni.capture.Captures;
import io.chimera.jni.capture.PacketBatch;
import io.chimera.jni.capture.PacketCapture;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Packets on their way from one capture, or several one after the other, into one data stream. The writer's thread. */
public final class RecordedSource implements AutoCloseable {
    /** Large batches: the archive asks the clock once for each. */
    private static final int BATCH_PACKETS = 1024;

    private final Deque<CaptureOptions> waiting;
    private final PacketArchive archive;
    private final Counters<ArchiveCounter> counters;
    private final PacketBatch batch = new PacketBatch(BATCH_PACKETS);
    private final CaptureCounters captured = new CaptureCounters();

    private PacketCapture capture;

    /** The first packet of the batch that the archive has not taken. */
    private int next;

    private long droppedRing;
    private long droppedInterface;
    private long truncated;
    private boolean isAtEnd;

    /**
     * Opens the first capture. Nothing is received yet.
     *
     * @param captures at least one; the next is opened when the one before it has ended
     * @param archive is closed with this, and also where the first cannot be opened
     * @throws io.chimera.jni.capture.CaptureException when it cannot be opened
     */
    public RecordedSource(List<CaptureOptions> captures, PacketArchive archive, Counters<ArchiveCounter> counters) {
        waiting = new ArrayDeque<>(captures);
        this.archive = archive;
        this.counters = counters;
        try {
            capture = Captures.open(waiting.pop());
        } catch (Throwable e) {
            archive.close();
            throw e;
        }
    }

    /**
     * Moves a batch. What the archive has no room for stays here, and the capture is not read meanwhile: what it drops then it counts.
     *
     * @return 0 when there was nothing to do, or nothing that could be done
     */
    int doWork() {
        int work = archive.doWork();
        if (next < batch.size()) {
            int before = next;
            next = archive.add(batch, next, capture.linkType());
            return work + next - before;
        }
        if (isAtEnd) {
            return work;
        }
        int received = capture.receive(batch, 0);
        if (received == PacketCapture.END) {
            openNext();
            return work + 1;
        }
        next = archive.add(batch, 0, capture.linkType());
        return work + received;
    }

    private void openNext() {
        batch.clear();
        next = 0;
        if (waiting.isEmpty()) {
            count();
            isAtEnd = true;
            return;
        }
        // first: where it cannot be opened, the one that has ended is still there to be counted and closed
        PacketCapture following = Captures.open(waiting.pop());
        count();
        capture.close();
        droppedRing = 0;
        droppedInterface = 0;
        truncated = 0;
        capture = following;
    }

    /** Whether all files were read to their end. */
    boolean isAtEnd() {
        return isAtEnd;
    }

    /** Whether every packet that was received has been taken by the archive. */
    boolean isTaken() {
        return next >= batch.size();
    }

    /** Receives no more. */
    void end() {
        isAtEnd = true;
    }

    PacketArchive archive() {
        return archive;
    }

    /** Brings the counters up to what the capture counts. */
    void count() {
        capture.counters(captured);
        counters.add(ArchiveCounter.ARCHIVE_DROPPED_RING, captured.droppedRing() - droppedRing);
        counters.add(ArchiveCounter.ARCHIVE_DROPPED_INTERFACE, captured.droppedInterface() - droppedInterface);
        counters.add(ArchiveCounter.ARCHIVE_TRUNCATED, captured.truncated() - truncated);
        droppedRing = captured.droppedRing();
        droppedInterface = captured.droppedInterface();
        truncated = captured.truncated();
    }

    @Override
    public void close() {
        capture.close();
        archive.close();
    }
}
