package io.chimera.common.config.check;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import java.util.stream.IntStream;

/** Pattern of metrics: characters, and gaps that match any text. */
final class MetricPattern {
    private static final int GAP = -1;
    private static final char ANY = '*';

    private final int[] parts;

    private MetricPattern(int[] parts) {
        this.parts = parts;
    }

    /**
     * Creates the pattern of the metrics of a pipeline's rows.
     *
     * @param prefix literal prefix
     * @param where pattern of the points' metrics, with {@code *} for any text
     * @param hasField whether a dot and a field follow
     */
    static MetricPattern of(String prefix, String where, boolean hasField) {
        IntStream metric = where.chars().map(character -> character == ANY ? GAP : character);
        IntStream field = hasField ? IntStream.of('.', GAP) : IntStream.empty();
        return new MetricPattern(IntStream.concat(IntStream.concat(prefix.chars(), metric), field)
                .toArray());
    }

    /**
     * Returns a text that matches both patterns.
     *
     * @param filling example for an end left open by both patterns
     * @return empty without a common text
     */
    Optional<String> common(MetricPattern other, String filling) {
        int width = other.parts.length + 1;
        int[] cameFrom = new int[(parts.length + 1) * width];
        Arrays.fill(cameFrom, GAP);
        Deque<Integer> reached = new ArrayDeque<>();
        cameFrom[0] = 0;
        reached.add(0);
        while (!reached.isEmpty()) {
            int state = reached.remove();
            int i = state / width;
            int k = state % width;
            boolean isGap = i < parts.length && parts[i] == GAP;
            boolean isOtherGap = k < other.parts.length && other.parts[k] == GAP;
            boolean hasBoth = i < parts.length && k < other.parts.length;
            if (hasBoth && !isGap && !isOtherGap && parts[i] == other.parts[k]) {
                reach(state + width + 1, state, cameFrom, reached);
            }
            if (isGap || (isOtherGap && i < parts.length)) { // a gap ends, or the other gap consumes the character
                reach(state + width, state, cameFrom, reached);
            }
            if (isOtherGap || (isGap && k < other.parts.length)) {
                reach(state + 1, state, cameFrom, reached);
            }
        }
        int end = cameFrom.length - 1;
        return cameFrom[end] == GAP ? Optional.empty() : Optional.of(text(other, cameFrom, width, filling));
    }

    private static void reach(int state, int from, int[] cameFrom, Deque<Integer> reached) {
        if (cameFrom[state] == GAP) {
            cameFrom[state] = from;
            reached.add(state);
        }
    }

    private String text(MetricPattern other, int[] cameFrom, int width, String filling) {
        StringBuilder text = new StringBuilder();
        for (int state = cameFrom.length - 1; state != 0; state = cameFrom[state]) {
            int before = cameFrom[state];
            int i = before / width;
            int k = before % width;
            int taken = state / width > i ? parts[i] : other.parts[k];
            if (taken != GAP) {
                text.append((char) taken);
            }
        }
        text.reverse();
        boolean isOpen = parts.length > 0
                && other.parts.length > 0
                && parts[parts.length - 1] == GAP
                && other.parts[other.parts.length - 1] == GAP;
        return isOpen && (text.length() == 0 || text.charAt(text.length() - 1) == '.')
                ? text + filling
                : text.toString();
    }
}
