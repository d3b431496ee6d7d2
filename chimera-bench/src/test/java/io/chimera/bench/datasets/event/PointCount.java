package io.chimera.bench.datasets.event;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.chimera.api.kit.KitCount;
import io.chimera.api.model.FieldType;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;

/** Counts the points of a parser, and finds the largest mass. */
final class PointCount extends KitCount {
    private double massMax;

    private PointCount() {
        super(0);
    }

    /** Parses a text. */
    static PointCount of(Parser parser, String text) {
        PointCount count = new PointCount();
        byte[] bytes = text.getBytes(US_ASCII);
        parser.parse(new Chunk().restart(1).wrap(bytes, 0, bytes.length, true), count);
        return count;
    }

    double massMax() {
        return massMax;
    }

    @Override
    public void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits) {
        if (typeCode == FieldType.DOUBLE.code()) {
            massMax = Math.max(massMax, Double.longBitsToDouble(bits));
        }
    }
}
