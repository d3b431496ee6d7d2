package io.chimera.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.chimera.api.model.FieldType;
import io.chimera.common.wire.encode.RecordEncoder;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.agrona.collections.IntArrayList;

/**
 * Points of {@link PointText} as a parser sees them before encoding: names and values as ranges of one byte array,
 * numbers as bits. Stored in a few flat arrays, so that access costs almost nothing.
 */
public final class PointPieces {
    private final ByteArrayOutputStream pieces = new ByteArrayOutputStream();
    private final IntArrayList pieceRanges = new IntArrayList();
    private final int tagCount;
    private final int fieldCount;
    private final byte[] text;
    private final int[] ranges;
    private final long[] bits;

    private PointPieces(PointShape shape, int count) {
        List<String> fields = new ArrayList<>(shape.doubleFields());
        fields.addAll(shape.longFields());
        fieldCount = fields.size();
        tagCount = shape.tagsOf(0).size();
        for (int point = 0; point < count; point++) {
            add(shape.metric());
            for (String tag : shape.tagsOf(point % PointText.SERIES)) {
                int equals = tag.indexOf('=');
                add(tag.substring(0, equals));
                add(tag.substring(equals + 1));
            }
            fields.forEach(this::add);
        }
        text = pieces.toByteArray();
        ranges = pieceRanges.toIntArray();
        bits = LongStream.range(0, (long) count * fieldCount)
                .map(i -> bits((int) (i / fieldCount), (int) (i % fieldCount)))
                .toArray();
    }

    /**
     * Splits the first points of {@code PointText.of(shape)} into pieces.
     *
     * @param shape shape of a point; all its fields count as doubles
     * @param count number of points
     */
    public static PointPieces of(PointShape shape, int count) {
        return new PointPieces(shape, count);
    }

    private void add(String piece) {
        byte[] bytes = piece.getBytes(US_ASCII);
        pieceRanges.addInt(pieces.size());
        pieceRanges.addInt(bytes.length);
        pieces.writeBytes(bytes);
    }

    private static long bits(int point, int field) {
        return Double.doubleToRawLongBits(PointValues.hundredths(PointText.SEED, point, field) / 100.0);
    }

    /** Passes the pieces of a point to an encoder with a begun record. */
    public void encode(int point, RecordEncoder encoder) {
        int range = point * 2 * (1 + 2 * tagCount + fieldCount);
        encoder.metric(text, ranges[range], ranges[range + 1]);
        range += 2;
        for (int i = 0; i < tagCount; i++) {
            encoder.tag(text, ranges[range], ranges[range + 1], text, ranges[range + 2], ranges[range + 3]);
            range += 4;
        }
        for (int i = 0; i < fieldCount; i++) {
            long value = bits[point * fieldCount + i];
            encoder.field(text, ranges[range], ranges[range + 1], FieldType.DOUBLE.code(), value);
            range += 2;
        }
    }
}
