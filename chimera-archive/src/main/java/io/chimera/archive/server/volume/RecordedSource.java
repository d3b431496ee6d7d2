package io.chimera.archive.server.volume;

import io.chimera.archive.query.packet.PacketArchive;
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

/** Moves packets from one capture, or from several in sequence, into one stream. Writer's thread. */
public final class RecordedSource implements AutoCloseable {
    /** Batches are large because the archive reads the clock once per batch. */
    private static final int BATCH_PACKETS = 1024;

    private final Deque<CaptureOptions> waiting;
    private final PacketArchive archive;
    private final Counters<ArchiveCounter> counters;
    private final PacketBatch batch = new PacketBatch(BATCH_PACKETS);
    private final CaptureCounters captured = new CaptureCounters();

    private PacketCapture capture;

    /** Index of the first packet of the batch that the archive has not accepted. */
    private int next;

    private long droppedRing;
    private long droppedInterface;
    private long truncated;
    private boolean isAtEnd;

    /**
     * Opens the first capture without receiving packets.
     *
     * @param captures at least one capture; each opens at the end of its predecessor
     * @param archive closed together with the source, and if the first capture cannot be opened
     * @throws io.chimera.jni.capture.CaptureException when the first capture cannot be opened
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
     * Moves one batch. When the archive is full, the rest of the batch waits here and the capture is not read; the
     * capture counts its drops meanwhile.
     *
     * @return 0 if no work was possible
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
        // opened first: if this fails, the ended capture is still available to count() and close()
        PacketCapture following = Captures.open(waiting.pop());
        count();
        capture.close();
        droppedRing = 0;
        droppedInterface = 0;
        truncated = 0;
        capture = following;
    }

    boolean isAtEnd() {
        return isAtEnd;
    }

    /** Whether the archive has accepted every received packet. */
    boolean isTaken() {
        return next >= batch.size();
    }

    /** Stops receiving. */
    void end() {
        isAtEnd = true;
    }

    PacketArchive archive() {
        return archive;
    }

    /** Adds the capture's counts since the last call to the metrics. */
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
