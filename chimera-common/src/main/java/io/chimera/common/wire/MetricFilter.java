package io.chimera.common.wire;

import java.nio.charset.StandardCharsets;
import org.agrona.DirectBuffer;

/** Pattern of the metrics that a pipeline accepts, with {@code *} for any text. Immutable; allocates nothing. */
public final class MetricFilter {
    private static final byte ANY = '*';

    private final byte[] pattern;

    /**
     * Creates a pattern.
     *
     * @param pattern text of the whole metric; {@code *} matches any text, also none
     */
    public MetricFilter(String pattern) {
        this.pattern = pattern.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns whether the metric of a series matches: without recursion, the last star absorbs a byte after a mismatch.
     */
    public boolean matches(SeriesFlyweight series) {
        DirectBuffer buffer = series.buffer();
        int start = series.metric() + 2;
        int length = series.sizeAt(series.metric());
        int place = 0;
        int text = 0;
        int afterStar = -1;
        int absorbed = 0;
        while (text < length) {
            if (place < pattern.length && pattern[place] == ANY) {
                afterStar = ++place;
                absorbed = text;
            } else if (place < pattern.length && pattern[place] == buffer.getByte(start + text)) {
                place++;
                text++;
            } else if (afterStar >= 0) {
                place = afterStar;
                text = ++absorbed;
            } else {
                return false;
            }
            if (place == pattern.length && afterStar == place) {
                return true;
            }
        }
        while (place < pattern.length && pattern[place] == ANY) {
            place++;
        }
        return place == pattern.length;
    }
}
