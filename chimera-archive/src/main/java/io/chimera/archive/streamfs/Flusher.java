package io.chimera.archive.streamfs;

import io.chimera.archive.streamfs.layout.DeviceSet;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tracks written and durable data. Completed writes are numbered; a flush of all devices covers the writes completed
 * before the flush began. Writer's thread.
 */
final class Flusher {
    private final DeviceSet devices;
    private final Consumer<String> failed;
    private final boolean[] isToFlush;
    private final DeviceSet.Operation flushed = this::onFlushed;
    private long written;
    private long durable;
    private long covered;
    private int waiting;
    private long flushes;

    /** Reports failed flushes to {@code failed}. */
    Flusher(DeviceSet devices, Consumer<String> failed) {
        this.devices = devices;
        this.failed = failed;
        isToFlush = new boolean[devices.count()];
    }

    /** Counts a completed write. Returns the number of the write, from 1. */
    long onWritten() {
        return ++written;
    }

    boolean isDurable(long writtenAt) {
        return writtenAt != 0 && writtenAt <= durable;
    }

    boolean hasUnflushed() {
        return written > durable;
    }

    boolean isFlushing() {
        return waiting > 0;
    }

    long flushes() {
        return flushes;
    }

    /** Begins a flush of everything written so far; only one flush runs at a time. */
    void begin() {
        covered = written;
        waiting = isToFlush.length;
        Arrays.fill(isToFlush, true);
        submit();
    }

    /** Submits the flush to the devices whose queue was full before. */
    int submit() {
        int submitted = 0;
        for (int device = 0; device < isToFlush.length; device++) {
            if (isToFlush[device] && devices.flush(device, flushed)) {
                isToFlush[device] = false;
                submitted++;
            }
        }
        return submitted;
    }

    private void onFlushed(@Nullable String error) {
        if (error != null) {
            failed.accept("A flush failed: " + error);
            return;
        }
        waiting--;
        if (waiting == 0) {
            durable = covered;
            flushes++;
        }
    }
}
