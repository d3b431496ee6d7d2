package io.chimera.queue.source;

import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.SeriesHash;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * Estimates the number of values of each tag among new series, with a HyperLogLog of {@value #REGISTERS} registers per
 * tag (error about 6.5 %). Bounded: {@value #TAGS_MAX} tags x about 400 bytes. Not thread-safe.
 */
final class TagValues {
    /** Maximum number of tags; further tags are not counted. */
    static final int TAGS_MAX = 256;

    static final int REGISTERS = 256;

    private static final int REGISTER_BITS = 8;

    /** Key of the metric, which is not a tag. */
    private static final String METRIC = "(metric)";

    /** Constant of the HyperLogLog paper for 256 registers. */
    private static final double ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);

    /** Multiple of the registers below which linear counting is more exact. */
    private static final double LINEAR_MAX = 2.5;

    /**
     * A tag and its number of values.
     *
     * @param tag name of the tag
     * @param values estimate of its distinct values
     */
    record Count(String tag, long values) {}

    private final Map<String, byte[]> registersOf = new HashMap<>();

    TagValues() {}

    /** Counts metric and tags of a new series. */
    void add(SeriesFlyweight series) {
        count(METRIC, series.buffer(), series.metric() + Short.BYTES, series.sizeAt(series.metric()));
        int tag = series.firstTag();
        for (int i = 0; i < series.tagCount(); i++) {
            byte[] name = new byte[series.sizeAt(tag)];
            series.buffer().getBytes(tag + Short.BYTES, name);
            int value = series.tagValue(tag);
            count(new String(name, StandardCharsets.UTF_8), series.buffer(), value + Short.BYTES, series.sizeAt(value));
            tag = series.nextTag(tag);
        }
    }

    private void count(String tag, DirectBuffer buffer, int offset, int length) {
        byte[] registers = registersOf.get(tag);
        if (registers == null) {
            if (registersOf.size() == TAGS_MAX) {
                return;
            }
            registers = new byte[REGISTERS];
            registersOf.put(tag, registers);
        }
        long hash = SeriesHash.of(buffer, offset, length);
        int register = (int) (hash >>> (Long.SIZE - REGISTER_BITS));
        byte rank = (byte) (Long.numberOfLeadingZeros((hash << REGISTER_BITS) | 1) + 1);
        if (rank > registers[register]) {
            registers[register] = rank;
        }
    }

    private static long estimate(byte[] registers) {
        double sum = 0;
        int zeros = 0;
        for (byte register : registers) {
            sum += 1.0 / (1L << register);
            zeros += register == 0 ? 1 : 0;
        }
        double raw = ALPHA * REGISTERS * REGISTERS / sum;
        boolean isFew = raw <= LINEAR_MAX * REGISTERS && zeros > 0;
        return Math.round(isFew ? REGISTERS * Math.log((double) REGISTERS / zeros) : raw);
    }

    /** Returns the tags with the most values. */
    List<Count> top(int most) {
        return registersOf.entrySet().stream()
                .map(entry -> new Count(entry.getKey(), estimate(entry.getValue())))
                .sorted(Comparator.comparingLong(Count::values).reversed().thenComparing(Count::tag))
                .limit(most)
                .toList();
    }

    void clear() {
        registersOf.clear();
    }
}
