package io.chimera.archive.streamfs;

import io.chimera.archive.streamfs.layout.DeviceSet;
import io.chimera.archive.streamfs.layout.Geometry;
import io.chimera.archive.streamfs.layout.Label;
import io.chimera.archive.streamfs.layout.Root;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes maps and roots after the frontier has passed, one at a time: first each due map, then a root once all due maps
 * are durable. Each write begins after the previous one is durable, so one of the two root slots is always whole.
 * Writer's thread.
 */
final class RootWriter {
    private enum State {
        IDLE,
        /** Encoded, not yet accepted by the device. */
        READY,
        WRITING,
        /** Written, not yet flushed. */
        WRITTEN
    }

    private final Label label;
    private final Geometry geometry;
    private final DeviceSet devices;
    private final Flusher flusher;
    private final Frontier frontier;
    private final List<StreamState> streams;
    private final int epoch;
    private final Consumer<String> failed;
    private final CRC32C crc = new CRC32C();
    private final UnsafeBuffer map;
    private final UnsafeBuffer rootBuffer;

    private State state = State.IDLE;
    private boolean isMap;
    private long group;
    /** Position limit in the root in progress. */
    private long limit;

    private long generation;
    private long writtenAt;
    /** Root slots without the current directory. */
    private int slotsDue;

    private boolean isUrgent;

    RootWriter(
            Label label,
            Geometry geometry,
            DeviceSet devices,
            Flusher flusher,
            Frontier frontier,
            List<StreamState> streams,
            Root last,
            Consumer<String> failed) {
        this.label = label;
        this.geometry = geometry;
        this.devices = devices;
        this.flusher = flusher;
        this.frontier = frontier;
        this.streams = streams;
        this.failed = failed;
        epoch = last.epoch();
        generation = last.generation();
        map = new UnsafeBuffer(BufferUtil.allocateDirectAligned(geometry.mapBytes(), geometry.alignment));
        rootBuffer = new UnsafeBuffer(BufferUtil.allocateDirectAligned(geometry.rootBytes, geometry.alignment));
    }

    /** Requests a write of the changed directory to both slots; damage to one slot then loses no change. */
    void changed() {
        slotsDue = 2;
        isUrgent = true;
    }

    /** Marks the work as urgent: a caller waits for the idle state. */
    void hurry() {
        isUrgent = true;
    }

    boolean isIdle() {
        return state == State.IDLE && slotsDue == 0;
    }

    /**
     * Returns true if a caller waits for a flush. Otherwise maps and roots are written early enough for the regular
     * flushes.
     */
    boolean waitsForFlush() {
        return state == State.WRITTEN && (isUrgent || frontier.isWaiting());
    }

    int step() {
        int work = 0;
        if (state == State.WRITTEN && flusher.isDurable(writtenAt)) {
            finish();
            work++;
        }
        if (state == State.IDLE) {
            begin();
        }
        if (state == State.READY && submit()) {
            work++;
        }
        return work;
    }

    private void begin() {
        long due = frontier.dueGroup();
        if (due >= 0) {
            group = due;
            isMap = true;
            MapWriter.encode(map, crc, label.volume(), geometry, group, frontier.slots(), streams);
            state = State.READY;
        } else if (slotsDue > 0 || frontier.needsRoot()) {
            slotsDue = Math.max(0, slotsDue - 1);
            isMap = false;
            generation++;
            limit = frontier.limitAhead();
            new Root(label.volume(), generation, epoch, frontier.low(), limit, entries(streams))
                    .encode(rootBuffer, crc);
            state = State.READY;
        }
    }

    private boolean submit() {
        int slot = geometry.slot(group * geometry.groupBlocks + geometry.groupBlocks - 1);
        state = State.WRITING; // set before the write, which may complete synchronously
        boolean isTaken = isMap
                ? devices.write(
                        geometry.device(slot),
                        geometry.offset(slot),
                        map.addressOffset(),
                        map.capacity(),
                        this::onWritten)
                : devices.write(
                        0,
                        geometry.rootOffset(generation),
                        rootBuffer.addressOffset(),
                        rootBuffer.capacity(),
                        this::onWritten);
        if (!isTaken) {
            state = State.READY;
        }
        return isTaken;
    }

    private void onWritten(@Nullable String error) {
        if (error != null) {
            failed.accept("A write of a " + (isMap ? "map" : "root") + " failed: " + error);
            return;
        }
        writtenAt = flusher.onWritten();
        state = State.WRITTEN;
    }

    private void finish() {
        if (isMap) {
            frontier.mapped();
        } else {
            frontier.limit(limit);
        }
        state = State.IDLE;
        isUrgent &= slotsDue > 0;
    }

    static List<Root.Entry> entries(List<StreamState> streams) {
        List<Root.Entry> entries = new ArrayList<>();
        for (StreamState stream : streams) {
            entries.add(
                    stream.isRemoved()
                            ? new Root.Entry(null, stream.lastBlock() + 1, 0)
                            : new Root.Entry(stream.settings, stream.oldestBlock(), stream.durable()));
        }
        return entries;
    }
}
