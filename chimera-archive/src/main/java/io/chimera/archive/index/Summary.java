package io.chimera.archive.index;

/** What is known of the keys of an interval or of a group. */
interface Summary {
    /** Whether a key may be in it, see {@link KeyBits#keyed}. */
    boolean mayHold(long keyed);

    /** Values of a range key, by its position among range keys. */
    RangeSummary range(int range);

    /** Whether a probe may match something in it. */
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

    /** The same for a probe of a range key; anything else may match. */
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
