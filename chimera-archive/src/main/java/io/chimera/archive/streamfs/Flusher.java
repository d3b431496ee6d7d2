package io.chimera.archive.streamfs;

import java.util.Arrays;
import java.util.function.Consumer;

/**
 * Knows what is written and what is durable. Completed writes are numbered; a flush of all devices covers those that were
 * complete before it began. Writer's thread.
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

    /** Failures go to {@code failed}. */
    Flusher(DeviceSet devices, Consumer<String> failed) {
        this.devices = devices;
        this.failed = failed;
        isToFlush = new boolean[devices.count()];
    }

    /** A write is complete. Returns its number, from 1 on. */
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

    /** Begins a flush of everything written so far; one at a time. */
    void begin() {
        covered = written;
        waiting = isToFlush.length;
        Arrays.fill(isToFlush, true);
        submit();
    }

    /** Submits what a device had no room for. */
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

    private void onFlushed(String error) {
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
