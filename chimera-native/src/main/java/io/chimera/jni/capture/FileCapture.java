package io.chimera.jni.capture;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.NanoClock;

/**
 * Reads capture files in Java, for machines without the native library. Returns the same packets and error messages as
 * {@code chimera_file.c}, but does not filter.
 */
final class FileCapture implements PacketCapture {

    private static final long NOT_STARTED = Long.MIN_VALUE;

    private final MappedFile file;
    private final FileFormat format;
    private final NanoClock clock;
    private final int snapLength;
    private final double speed;

    /** Offset of the next record. */
    private long position;

    /** Clock time and timestamp of the first packet at the start of the replay. */
    private long startedNs = NOT_STARTED;

    private long firstTimestampNs;

    private long received;
    private long bytes;
    private long truncated;
    private long invalid;
    private boolean closed;

    FileCapture(CaptureOptions options, NanoClock clock) {
        this(options, clock, MappedFile.WINDOW_BYTES_DEFAULT);
    }

    FileCapture(CaptureOptions options, NanoClock clock, int windowBytes) {
        if (!options.filter().isEmpty()) {
            throw new CaptureException(
                    options.target() + ": files are filtered by the native library only; "
                            + CaptureLibrary.loadFailure(),
                    0);
        }
        this.clock = clock;
        snapLength = options.snapLength();
        speed = options.speed();
        try {
            file = MappedFile.open(Path.of(options.target()), windowBytes);
        } catch (IOException e) {
            throw new CaptureException(options.target() + ": cannot be opened: " + e.getMessage(), e);
        }
        try {
            format = FileFormat.of(file);
            position = format.open();
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    @Override
    @HotPath
    public int receive(PacketBatch batch, int timeoutMs) {
        requireOpen();
        batch.clear();
        while (batch.size() < batch.capacity()) {
            int recordBytes = recordBytesAtPosition(batch);
            if (recordBytes <= 0) {
                return batch.size() > 0 ? batch.size() : recordBytes;
            }
            if (!format.read(position, recordBytes)) {
                if (format.failed()) {
                    return sizeOrFailure(batch);
                }
                if (format.isInvalid()) {
                    invalid++;
                    format.passed();
                }
            } else if (waitUntilDue(batch, timeoutMs)) {
                add(batch);
            } else {
                return batch.size();
            }
            position += recordBytes;
        }
        return batch.size();
    }

    /** Length of the record at the position, with the whole record mapped; 0 when the batch must be returned first. */
    @HotPath
    private int recordBytesAtPosition(PacketBatch batch) {
        if (position == file.size()) {
            return END;
        }
        if (!mapped(batch, format.headerBytes())) {
            return format.failed() ? sizeOrFailure(batch) : 0;
        }
        int recordBytes = format.recordBytes(position);
        if (recordBytes < 0 || !mapped(batch, recordBytes)) {
            return format.failed() ? sizeOrFailure(batch) : 0;
        }
        return recordBytes;
    }

    /** Whether the bytes at the position are readable; moves the window only while the batch is empty. */
    @HotPath
    private boolean mapped(PacketBatch batch, int wanted) {
        if (file.holds(position, wanted)) {
            return true;
        }
        if (wanted > file.size() - position) {
            format.cutOff(position, wanted);
            return false;
        }
        if (batch.size() > 0) {
            return false;
        }
        file.moveTo(position);
        return true;
    }

    /** Returns the packets before the damage first; the next call encounters the damage again. */
    private int sizeOrFailure(PacketBatch batch) {
        if (batch.size() > 0) {
            format.forgetFailure();
            return 0;
        }
        throw format.failure();
    }

    @HotPath
    private boolean waitUntilDue(PacketBatch batch, int timeoutMs) {
        if (speed == 0) {
            return true;
        }
        long now = clock.nanoTime();
        if (startedNs == NOT_STARTED) {
            startedNs = now;
            firstTimestampNs = format.timestampNs();
        }
        long dueNs = startedNs + (long) ((format.timestampNs() - firstTimestampNs) / speed);
        if (dueNs - now <= 0) {
            return true;
        }
        if (batch.size() > 0) {
            return false;
        }
        return park(now, dueNs, timeoutMs);
    }

    /** Waits for the time of the next packet: a file is read at the speed of its packets. */
    @ColdPath
    private boolean park(long nowNs, long dueNs, int timeoutMs) {
        long now = nowNs;
        long endNs = now + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (dueNs - now > 0 && endNs - now > 0) {
            LockSupport.parkNanos(Math.min(dueNs - now, endNs - now));
            now = clock.nanoTime();
        }
        return dueNs - now <= 0;
    }

    @HotPath
    private void add(PacketBatch batch) {
        int captured = Math.min(format.captured(), snapLength);
        batch.add(format.timestampNs(), file.address(format.dataPosition()), captured, format.length(), 0, 0);
        format.passed();
        received++;
        bytes += format.length() & 0xFFFF_FFFFL;
        truncated += Integer.compareUnsigned(captured, format.length()) < 0 ? 1 : 0;
    }

    @Override
    @HotPath
    public void release() {
        requireOpen();
    }

    @Override
    public void counters(CaptureCounters into) {
        requireOpen();
        into.set(received, bytes, 0, 0, truncated, invalid);
    }

    @Override
    public int linkType() {
        requireOpen();
        return format.linkType();
    }

    @Override
    public void close() {
        closed = true;
        file.close();
    }

    /** The mapping is gone after closing. */
    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(file.name() + " is closed.");
        }
    }
}
