package io.chimera.faults.chaos.load;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Compares the rows of the store with the expected rows of the load. A lane sends the points of a key in the order of
 * their indexes to a single queue node, and cycles preserve the order. So the row of a cycle with a count of <i>c</i>
 * points contains the sum of the next <i>c</i> values of its key. The oracle checks each key and cycle. One thread,
 * used once.
 */
public final class RowOracle {
    private static final int FINDINGS_MAX = 50;

    private final long seed;
    private final StoredRows stored;
    private final List<String> findings = new ArrayList<>();
    private final Set<String> known = new HashSet<>();
    private long acknowledged;
    private long points;
    private long ambiguous;
    private long ambiguousStored;
    private long lost;
    private long doubled;
    private long corrupted;
    private long rows;

    private RowOracle(long seed, StoredRows stored) {
        this.seed = seed;
        this.stored = stored;
    }

    /** Compares the sent batches with the stored rows. */
    public static RowVerdict compare(long seed, List<Generation> sent, StoredRows stored) {
        RowOracle oracle = new RowOracle(seed, stored);
        sent.forEach(oracle::check);
        oracle.checkStrangers();
        oracle.checkContradictions();
        return oracle.verdict();
    }

    private RowVerdict verdict() {
        return new RowVerdict(
                acknowledged,
                points,
                ambiguous,
                ambiguousStored,
                lost,
                doubled,
                corrupted,
                rows,
                List.copyOf(findings));
    }

    private void check(Generation generation) {
        acknowledged += generation.acknowledgedPoints();
        int keysWithAmbiguous = 0;
        for (int key = 0; key < LoadValues.KEYS; key++) {
            keysWithAmbiguous += check(generation, key) ? 1 : 0;
        }
        if (generation.ambiguous()) {
            ambiguous += LoadValues.POINTS_PER_BATCH;
            ambiguousStored += (long) keysWithAmbiguous * LoadValues.POINTS_PER_KEY;
        }
        if (keysWithAmbiguous % LoadValues.KEYS != 0) {
            corrupted++;
            find("Lane " + generation.lane() + ", generation " + generation.number()
                    + ": the unanswered batch is stored for " + keysWithAmbiguous + " of "
                    + LoadValues.KEYS + " keys.");
        }
    }

    /** Checks a key; returns whether the points of the ambiguous batch are stored. */
    private boolean check(Generation generation, int key) {
        String name = LoadValues.keyName(generation.lane(), generation.number(), key);
        known.add(name);
        SortedMap<Long, Double> counts = stored.counts().getOrDefault(name, new TreeMap<>());
        SortedMap<Long, Double> sums = stored.sums().getOrDefault(name, new TreeMap<>());
        rows += counts.size();
        long must = generation.acknowledged() * LoadValues.POINTS_PER_KEY;
        long may = must + (generation.ambiguous() ? LoadValues.POINTS_PER_KEY : 0);
        long counted = counts.values().stream().mapToLong(Double::longValue).sum();
        points += counted;
        if (counted < must) {
            lost += must - counted;
            find(name + ": " + counted + " of " + must + " acknowledged points are stored; "
                    + misfits(generation, key));
        } else if (counted > may) {
            doubled += counted - may;
            find(name + ": " + counted + " points are stored, " + may + " were sent; " + misfits(generation, key));
        } else if (counted != must && counted != may) {
            corrupted++;
            find(name + ": a part of the unanswered batch is stored, " + counted + " points of " + may + ".");
        } else {
            String misfits = misfits(generation, key);
            if (!misfits.isEmpty() || !counts.keySet().equals(sums.keySet())) {
                corrupted++;
                find(name + ": " + (misfits.isEmpty() ? "counts and sums have different cycles." : misfits));
            }
        }
        return counted > must && counted == may;
    }

    /**
     * Describes the first cycle whose sum differs from the sum of the counted points; empty when all cycles are
     * correct.
     */
    private String misfits(Generation generation, int key) {
        String name = LoadValues.keyName(generation.lane(), generation.number(), key);
        SortedMap<Long, Double> sums = stored.sums().getOrDefault(name, new TreeMap<>());
        long index = 0;
        for (Map.Entry<Long, Double> row :
                stored.counts().getOrDefault(name, new TreeMap<>()).entrySet()) {
            double count = row.getValue();
            long next = index + (long) count;
            long expected = LoadValues.sum(seed, generation.lane(), generation.number(), key, index, next);
            Double sum = sums.get(row.getKey());
            if (count < 1 || count != Math.rint(count) || sum == null || sum != expected) {
                return "the cycle at " + row.getKey() + " ms has count " + count + " and sum " + sum + ", but points "
                        + index + " to " + (next - 1) + " sum up to " + expected + ".";
            }
            index = next;
        }
        return "";
    }

    private void checkStrangers() {
        Set<String> strangers = new HashSet<>(stored.counts().keySet());
        strangers.addAll(stored.sums().keySet());
        strangers.removeAll(known);
        for (String stranger : strangers) {
            corrupted++;
            find("Key " + stranger + " is stored but was never sent.");
        }
    }

    private void checkContradictions() {
        corrupted += stored.contradictions().size();
        stored.contradictions().forEach(this::find);
    }

    private void find(String finding) {
        if (findings.size() < FINDINGS_MAX) {
            findings.add(finding);
        }
    }
}
