package io.chimera.bench.datasets.event;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.chimera.api.model.FieldType;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;

/** Counts the points of a parser. */
final class PointCount implements PointSink {
    private int points;
    private int rejected;
    private double massMax;

    /** Parses a text. */
    static PointCount of(Parser parser, String text) {
        PointCount count = new PointCount();
        byte[] bytes = text.getBytes(US_ASCII);
        parser.parse(new Chunk().restart(1).wrap(bytes, 0, bytes.length, true), count);
        return count;
    }

    int points() {
        return points;
    }

    int rejected() {
        return rejected;
    }

    double massMax() {
        return massMax;
    }

    @Override
    public boolean begin(int textLength) {
        return true;
    }

    @Override
    public void metric(byte[] bytes, int offset, int length) {}

    @Override
    public void tag(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {}

    @Override
    public void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits) {
        if (typeCode == FieldType.DOUBLE.code()) {
            massMax = Math.max(massMax, Double.longBitsToDouble(bits));
        }
    }

    @Override
    public void textField(
            byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {}

    @Override
    public void time(long timeNs) {}

    @Override
    public int end() {
        points++;
        return OK;
    }

    @Override
    public void reject(byte[] bytes, int offset, int length, long line, String reason) {
        rejected++;
    }

    @Override
    public long arrivalTimeNs() {
        return 0;
    }
}
