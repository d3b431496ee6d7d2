package io.chimera.archive.index.key;

/** Summary of the keys of an interval or a group. */
public interface Summary {
    /** Returns true if a key may be present, see {@link KeyBits#keyed}. */
    boolean mayHold(long keyed);

    /** Returns the summary of a range key, by its position among range keys. */
    RangeSummary range(int range);

    /** Returns true if an item may match the probe. */
    default boolean mayMatch(Probe probe, KeyTable keys) {
        if (probe instanceof Probe.Exact exact) {
            return mayHold(KeyBits.keyed(exact.key(), exact.hash()));
        }
        if (probe instanceof Probe.And and) {
            return and.probes().stream().allMatch(part -> mayMatch(part, keys));
        }
        if (probe instanceof Probe.Or or) {
            return or.probes().stream().anyMatch(part -> mayMatch(part, keys));
        }
        return mayMatchRange(this, probe, keys);
    }

    /** Evaluates a probe of a range key; any other probe may match. */
    static boolean mayMatchRange(Summary summary, Probe probe, KeyTable keys) {
        if (probe instanceof Probe.Range range) {
            int position = keys.range(range.key());
            return summary.range(position).mayMeet(keys.ranges().get(position), range.low(), range.high());
        }
        if (probe instanceof Probe.Frequent frequent && frequent.count() > 0) {
            int position = keys.range(frequent.key());
            RangeSummary values = summary.range(position);
            return values.mayMeet(keys.ranges().get(position), frequent.value(), frequent.value())
                    && values.top().atMost(frequent.value()) >= frequent.count();
        }
        return true;
    }
}
