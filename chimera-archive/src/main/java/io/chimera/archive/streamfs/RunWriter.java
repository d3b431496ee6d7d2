package io.chimera.archive.streamfs;

import io.chimera.archive.streamfs.layout.DeviceSet;
import io.chimera.archive.streamfs.layout.Geometry;
import io.chimera.archive.streamfs.layout.SipHash;
import io.chimera.archive.streamfs.layout.VolumeLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes runs to the devices: places their blocks, seals the runs, writes several at a time in order, and flushes.
 * Durability is reported in the order in which the runs ended. Writer's thread.
 */
final class RunWriter {
    /** A flush is due when 1/4 of the in-flight limit is written. */
    private static final int FLUSH_DIVISOR = 4;

    private final Geometry geometry;
    private final SipHash hash;
    private final int epoch;
    private final DeviceSet devices;
    private final Flusher flusher;
    private final Frontier frontier;
    private final List<StreamState> streams;
    private final BufferPool pool;
    private final Consumer<String> failed;
    private final CRC32C crc = new CRC32C();
    /** Runs not yet accepted by a device. */
    private final ArrayDeque<Run> pending = new ArrayDeque<>();
    /** Runs from the oldest undurable run. */
    private final ArrayDeque<Run> undurable = new ArrayDeque<>();

    private long sequence;
    /** Ended runs without a completed write. */
    private int unwritten;

    private long syncSequence;
    /** Unwritten runs up to {@link #syncSequence}. */
    private int syncUnwritten;

    private long unflushedBytes;
    private volatile long bytesWritten;
    private boolean isFlushWanted;

    RunWriter(
            Geometry geometry,
            SipHash hash,
            int epoch,
            DeviceSet devices,
            Flusher flusher,
            Frontier frontier,
            List<StreamState> streams,
            BufferPool pool,
            Consumer<String> failed) {
        this.geometry = geometry;
        this.hash = hash;
        this.epoch = epoch;
        this.devices = devices;
        this.flusher = flusher;
        this.frontier = frontier;
        this.streams = streams;
        this.pool = pool;
        this.failed = failed;
    }

    /** Ends the run of a buffer with records. */
    void end(BlockBuffer buffer) {
        Run run = buffer.endRun(++sequence);
        pending.add(run);
        undurable.add(run);
        unwritten++;
    }

    /** Closes the buffer of a full block; the memory is freed after the last write. */
    void close(BlockBuffer buffer) {
        if (buffer.records > 0) {
            end(buffer);
        }
        buffer.isClosed = true;
        release(buffer);
    }

    private void release(BlockBuffer buffer) {
        if (buffer.isClosed && buffer.runsInFlight == 0) {
            buffer.block.memory = null; // before the memory gets another owner
            VarHandle.storeStoreFence(); // orders the plain writes of the next owner after the volatile null
            pool.give(buffer);
        }
    }

    /** Requests a flush as soon as all runs ended so far are written. */
    void sync() {
        syncSequence = sequence;
        syncUnwritten = unwritten;
    }

    /** Returns true until the runs of the last {@link #sync} are durable. */
    boolean isSyncing() {
        Run oldest = undurable.peekFirst();
        return oldest != null && oldest.sequence <= syncSequence;
    }

    boolean isIdle() {
        return undurable.isEmpty();
    }

    /** Returns the bytes written so far. Any thread. */
    long bytesWritten() {
        return bytesWritten;
    }

    /** Submits pending runs until a device queue is full. */
    int submit() {
        int submitted = 0;
        Run run = pending.peekFirst();
        while (run != null && (run.isSealed || seal(run)) && write(run)) {
            pending.removeFirst();
            submitted++;
            run = pending.peekFirst();
        }
        return submitted;
    }

    private boolean seal(Run run) {
        long placed = frontier.placed();
        if (run.block.position == Block.NOWHERE) {
            Run oldest = undurable.peekFirst();
            if (oldest.isSealed && placed - oldest.placed >= geometry.groupBlocks) {
                isFlushWanted = true;
                return false;
            }
            if (!frontier.place(run.block)) {
                return false;
            }
        }
        StreamState stream = streams.get(run.block.stream);
        run.crc = BlockScan.crcOfHeaders(crc, run.buffer.buffer, run.offset + VolumeLayout.RUN_HEADER_LENGTH, run.end);
        stream.lastMac = RunLayout.seal(hash, run.buffer.buffer, run, epoch, stream.durable(), stream.lastMac);
        run.block.lastMac = stream.lastMac;
        run.placed = placed;
        run.isSealed = true;
        return true;
    }

    private boolean write(Run run) {
        int slot = geometry.slot(run.block.position);
        return devices.write(
                geometry.device(slot),
                geometry.offset(slot) + run.offset,
                run.buffer.address + run.offset,
                run.length,
                error -> onWritten(run, error));
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // single writer
    private void onWritten(Run run, @Nullable String error) {
        if (error != null) {
            failed.accept("A write of stream '"
                    + streams.get(run.block.stream).settings().name() + "' at slot " + geometry.slot(run.block.position)
                    + " failed: " + error + ".");
            return;
        }
        run.writtenAt = flusher.onWritten();
        unwritten--;
        syncUnwritten -= run.sequence <= syncSequence ? 1 : 0;
        unflushedBytes += run.length;
        bytesWritten += run.length;
        run.buffer.runsInFlight--;
        release(run.buffer);
    }

    /** Reports newly durable records to the streams. */
    int retire() {
        int retired = 0;
        Run run = undurable.peekFirst();
        while (run != null && flusher.isDurable(run.writtenAt)) {
            streams.get(run.block.stream).durable(run.lastRecord(), run.block.number, run.offset + run.length);
            undurable.removeFirst();
            retired++;
            run = undurable.peekFirst();
        }
        return retired;
    }

    /**
     * Flushes when due.
     *
     * @param isWanted another component waits for a flush
     */
    int flush(long nowNs, long lingerNs, boolean isWanted) {
        if (flusher.isFlushing()) {
            return flusher.submit();
        }
        if (!flusher.hasUnflushed() || !(isWanted || isDue(nowNs, lingerNs))) {
            return 0;
        }
        isFlushWanted = false;
        unflushedBytes = 0;
        flusher.begin();
        return 1;
    }

    private boolean isDue(long nowNs, long lingerNs) {
        Run oldest = undurable.peekFirst();
        return isFlushWanted
                || unflushedBytes >= (long) geometry.groupBlocks * geometry.blockBytes / FLUSH_DIVISOR
                || (oldest != null && oldest.writtenAt != 0 && nowNs - oldest.sinceNs >= lingerNs)
                || (isSyncing() && syncUnwritten == 0);
    }
}
