package io.chimera.bench.peers;

import io.chimera.bench.load.PointSeries;
import io.chimera.bench.peers.job.FieldTotal;
import io.chimera.bench.peers.job.ResultTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Required results of every engine, computed from the original values of the points: without a parser, and in two
 * passes instead of the engines' single pass.
 */
public final class Expected {
    /**
     * Relative tolerance for sums, means and variances, because engines add in different orders. Counts, minimum and
     * maximum must be equal.
     */
    private static final double TOLERANCE = 1e-9;

    private static final int DIFFERENCES_MAX = 5;

    private final ResultTable table;

    /**
     * Computes the results.
     *
     * @param points points of the input
     * @param passes number of passes over the input
     */
    Expected(PointSeries series, int points, int passes) {
        this(new ResultTable());
        for (int i = 0; i < series.count(); i++) {
            String key = series.key(i);
            for (int field = 0; field < series.fields().size(); field++) {
                add(table.total(key, series.fields().get(field)), series, i, field, points, passes);
            }
        }
    }

    /** Creates expected results from a known table. */
    public Expected(ResultTable table) {
        this.table = table;
    }

    private static void add(FieldTotal total, PointSeries series, int index, int field, int points, int passes) {
        long count = 0;
        double sum = 0;
        double least = Double.POSITIVE_INFINITY;
        double greatest = Double.NEGATIVE_INFINITY;
        for (long point = index; point < points; point += series.count()) {
            double value = series.value(point, field);
            count++;
            sum += value;
            least = Math.min(least, value);
            greatest = Math.max(greatest, value);
        }
        double mean = sum / count;
        double squares = 0;
        for (long point = index; point < points; point += series.count()) {
            double apart = series.value(point, field) - mean;
            squares += apart * apart;
        }
        total.add(count * passes, sum * passes, least, greatest, mean, squares / count);
    }

    /**
     * Compares results.
     *
     * @return the first differences; empty when the results are equal
     */
    public List<String> differences(ResultTable seen) {
        List<String> differences = new ArrayList<>();
        Map<String, Map<String, FieldTotal>> keys = new TreeMap<>(table.totals());
        if (!seen.totals().keySet().equals(keys.keySet())) {
            differences.add(seen.totals().size() + " keys instead of " + keys.size() + ", or other keys");
        }
        keys.forEach((key, fields) -> {
            Map<String, FieldTotal> seenFields = seen.totals().getOrDefault(key, Map.of());
            fields.forEach((field, total) -> {
                FieldTotal other = seenFields.get(field);
                if (differences.size() < DIFFERENCES_MAX && (other == null || !isSame(total, other))) {
                    differences.add(field + " of " + key + ": " + other + " instead of " + total);
                }
            });
            if (seenFields.size() > fields.size() && differences.size() < DIFFERENCES_MAX) {
                differences.add("more fields of " + key + " than expected");
            }
        });
        return differences;
    }

    private static boolean isSame(FieldTotal one, FieldTotal other) {
        return one.count() == other.count()
                && one.least() == other.least()
                && one.greatest() == other.greatest()
                && isNear(one.sum(), other.sum())
                && isNear(one.mean(), other.mean())
                && isNear(one.variance(), other.variance());
    }

    private static boolean isNear(double one, double other) {
        return Math.abs(one - other) <= TOLERANCE * Math.max(Math.abs(one), Math.abs(other));
    }
}
