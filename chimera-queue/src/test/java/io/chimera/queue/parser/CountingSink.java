package io.chimera.queue.parser;

import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.encode.RecordEncoder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sink for allocation tests: overwrites each record with the next, and only counts records. Recognises known series and
 * fields.
 */
public final class CountingSink implements PointSink {
    private final RecordEncoder encoder = new RecordEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[BodyLayout.LENGTH_MAX]);
    private long timeNs;
    public long points;
    public long rejects;

    public CountingSink() {}

    @Override
    public boolean begin(int textLength) {
        encoder.open(buffer, 0, buffer.capacity());
        encoder.begin();
        return true;
    }

    @Override
    public int seriesAhead(byte[] bytes, int offset, int end) {
        return encoder.seriesAhead(bytes, offset, end);
    }

    @Override
    public boolean series(byte[] bytes, int offset, int length) {
        return encoder.series(bytes, offset, length);
    }

    @Override
    public int fieldAhead(byte[] bytes, int offset, int end) {
        return encoder.fieldAhead(bytes, offset, end);
    }

    @Override
    public void metric(byte[] bytes, int offset, int length) {
        encoder.metric(bytes, offset, length);
    }

    @Override
    public void tag(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        encoder.tag(name, nameOffset, nameLength, value, valueOffset, valueLength);
    }

    @Override
    public void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits) {
        encoder.field(name, nameOffset, nameLength, typeCode, bits);
    }

    @Override
    public void textField(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        encoder.textField(name, nameOffset, nameLength, value, valueOffset, valueLength);
    }

    @Override
    public void time(long newTimeNs) {
        timeNs = newTimeNs;
    }

    @Override
    public int end() {
        points++;
        return encoder.end(timeNs, 0);
    }

    @Override
    public void reject(byte[] bytes, int offset, int length, long line, String reason) {
        rejects++;
    }

    @Override
    public long arrivalTimeNs() {
        return 0;
    }
}
