package io.chimera.queue.source;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointBuilder;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.encode.RecordEncoder;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Encodes the points of a source plugin in private memory; a complete batch is copied to the ring. A blocked plugin
 * must not hold a slot, because all later slots would wait. Used by the thread of the source.
 */
final class SourcePoints implements PointBuilder {
    private final int input;
    private final Full full;
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[BatchLayout.LENGTH_MAX]);
    private final RecordEncoder encoder = new RecordEncoder();
    private long pollNs;
    private long timeNs;
    private boolean isBegun;
    private int count;

    /** Publishes the points when the buffer is full. */
    @FunctionalInterface
    interface Full {
        /** Publishes the points and calls {@link #clear}. */
        void onFull();
    }

    SourcePoints(int input, Full full) {
        this.input = input;
        this.full = full;
        clear();
    }

    /** Starts a poll and discards an unfinished point. */
    void poll(long nowNs) {
        pollNs = nowNs;
        isBegun = false;
    }

    UnsafeBuffer buffer() {
        return buffer;
    }

    int length() {
        return encoder.position();
    }

    int count() {
        return count;
    }

    /** Removes all points. */
    void clear() {
        // stream 0 means a batch of this node, sealed later by the journaler
        buffer.putLong(BatchLayout.STREAM, 0, LITTLE_ENDIAN);
        encoder.open(buffer, BatchLayout.HEADER_LENGTH, buffer.capacity());
        count = 0;
        isBegun = false;
    }

    private void begin() {
        if (isBegun) {
            return;
        }
        if (buffer.capacity() - encoder.position() < BodyLayout.LENGTH_MAX) {
            full.onFull();
        }
        encoder.begin();
        timeNs = pollNs;
        isBegun = true;
    }

    @Override
    public PointBuilder series() {
        return this;
    }

    @Override
    public PointBuilder metric(CharSequence metric) {
        byte[] bytes = utf8(metric);
        begin();
        encoder.metric(bytes, 0, bytes.length);
        return this;
    }

    @Override
    public PointBuilder tag(CharSequence name, CharSequence value) {
        byte[] nameBytes = notEmpty(name, "a tag has no name");
        byte[] valueBytes = notEmpty(value, "a tag has no value");
        begin();
        encoder.tag(nameBytes, 0, nameBytes.length, valueBytes, 0, valueBytes.length);
        return this;
    }

    @Override
    public PointBuilder field(CharSequence name, double value) {
        if (!Double.isFinite(value)) {
            throw refused(PointSink.reasonOf(PointSink.NOT_FINITE));
        }
        return field(name, FieldType.DOUBLE, Double.doubleToRawLongBits(value));
    }

    @Override
    public PointBuilder field(CharSequence name, long value) {
        return field(name, FieldType.LONG, value);
    }

    private PointBuilder field(CharSequence name, FieldType type, long bits) {
        byte[] bytes = notEmpty(name, "a field has no name");
        begin();
        encoder.field(bytes, 0, bytes.length, type.code(), bits);
        return this;
    }

    @Override
    public PointBuilder field(CharSequence name, CharSequence value) {
        byte[] nameBytes = notEmpty(name, "a field has no name");
        byte[] valueBytes = utf8(value);
        begin();
        encoder.textField(nameBytes, 0, nameBytes.length, valueBytes, 0, valueBytes.length);
        return this;
    }

    @Override
    public PointBuilder copy(CharSequence name, int index) {
        throw new IllegalStateException("A source has no input point to copy a field from.");
    }

    @Override
    public PointBuilder time(long newTimeNs) {
        begin();
        timeNs = newTimeNs;
        return this;
    }

    @Override
    public void end() {
        begin();
        int ended = encoder.end(timeNs, input);
        isBegun = false;
        if (ended != PointSink.OK) {
            throw refused(PointSink.reasonOf(ended));
        }
        count++;
    }

    private byte[] notEmpty(CharSequence text, String otherwise) {
        byte[] bytes = utf8(text);
        if (bytes.length == 0) {
            throw refused(otherwise);
        }
        return bytes;
    }

    private IllegalArgumentException refused(String reason) {
        isBegun = false;
        return new IllegalArgumentException(reason);
    }

    private static byte[] utf8(CharSequence text) {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
