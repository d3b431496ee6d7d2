package io.chimera.queue.source;

import io.chimera.api.model.DataPoint;
import io.chimera.api.spi.Parser;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.ring.Completion;
import io.chimera.common.ring.Slot;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.queue.source.reject.DeadLetters;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Environment of a source, with a journaler driven by the test. */
final class SourceRig {
    static final int INPUT = 3;

    final ManualClock clock = new ManualClock();
    final Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
    final BatchRing ring;
    final DeadLetters deadLetters;
    final List<Throwable> errors = new ArrayList<>();

    /** Points taken from the ring. */
    final List<DataPoint> points = new ArrayList<>();

    /** Completions of the taken slots, not yet completed. */
    final List<Completion> completions = new ArrayList<>();

    SourceRig(Path folder, int slots, int slotLength) {
        ring = new BatchRing(slots, slotLength);
        deadLetters = new DeadLetters(folder, counters, clock);
    }

    InputContext inlet(Supplier<Parser> parsers) {
        return new InputContext(
                "in", INPUT, parsers, new SourceEnvironment(ring, deadLetters, counters, clock, errors::add));
    }

    RingPointSink sink() {
        return new RingPointSink(ring, INPUT, deadLetters.rejects("in"), deadLetters, counters, null);
    }

    /** Takes all published slots; returns their number. */
    int takeSlots() {
        return takeSlots(Integer.MAX_VALUE);
    }

    int takeSlots(int limit) {
        return ring.poll(this::take, limit);
    }

    private boolean take(Slot slot) {
        if (slot.attachment() != null) {
            completions.add((Completion) slot.attachment());
        }
        if (slot.count() == 0) {
            return true;
        }
        if (slot.buffer().getLong(BatchLayout.STREAM, ByteOrder.LITTLE_ENDIAN) != 0) {
            throw new AssertionError("A batch of this node is not sealed yet.");
        }
        BodyReader body = new BodyReader().wrap(slot.buffer(), BatchLayout.HEADER_LENGTH, slot.length());
        int before = points.size();
        while (body.nextRecord()) {
            if (body.record().input() != INPUT) {
                throw new AssertionError("A record in the ring is of another input.");
            }
            points.add(RecordDecoder.point(body));
        }
        if (points.size() - before != slot.count() || body.step() != BodyReader.END) {
            throw new AssertionError("The records do not fill the slot.");
        }
        return true;
    }

    /** Takes all slots and reports success to all completions. */
    void journal() {
        takeSlots();
        List<Completion> told = List.copyOf(completions);
        completions.clear();
        told.forEach(Completion::journaled);
    }

    /** Fills the ring with empty slots. */
    void fillRing() {
        for (long sequence = ring.tryClaim(); sequence >= 0; sequence = ring.tryClaim()) {
            ring.slot(sequence).fill(0, 0, null);
            ring.publish(sequence);
        }
    }

    long count(QueueCounter counter) {
        return counters.get(counter);
    }

    /** Values of one field, in order of the points. */
    List<Object> values(String field) {
        return points.stream().map(point -> point.fields().get(field)).toList();
    }
}
