package io.chimera.faults.chaos.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Outcomes of one kind of fault, or of pairs of faults, in figures, all in milliseconds. Recoveries that did not come
 * within the patience of the run count with that patience.
 *
 * @param faults number of them
 * @param since from when on recovery was measured
 * @param p50Ms recovery of half of them took at most this
 * @param p99Ms recovery of 99 of 100 took at most this; the longest, with less than 100
 * @param maxMs longest recovery
 * @param stallMsMax longest time without a move of the committed prefix
 * @param ackWaitMsMax longest wait for an acknowledgement by clients of nodes that were not hit
 */
public record FaultStats(
        int faults, FaultKind.Since since, long p50Ms, long p99Ms, long maxMs, long stallMsMax, long ackWaitMsMax) {
    private static final long NS_PER_MS = 1_000_000;

    /** Figures for each kind that happened, by its label. */
    public static Map<String, FaultStats> byLabel(List<FaultOutcome> outcomes, long patienceNs) {
        Map<String, FaultStats> all = new TreeMap<>();
        outcomes.stream()
                .collect(Collectors.groupingBy(FaultOutcome::label))
                .forEach((label, same) -> all.put(label, of(same, patienceNs)));
        return all;
    }

    private static FaultStats of(List<FaultOutcome> outcomes, long patienceNs) {
        List<Long> recoveries = new ArrayList<>(outcomes.stream()
                .map(outcome -> outcome.isRecovered() ? outcome.recoveryNs() : patienceNs)
                .sorted()
                .toList());
        return new FaultStats(
                outcomes.stream().mapToInt(FaultOutcome::count).sum(),
                outcomes.get(0).since(),
                percentile(recoveries, 50) / NS_PER_MS,
                percentile(recoveries, 99) / NS_PER_MS,
                percentile(recoveries, 100) / NS_PER_MS,
                max(outcomes, FaultOutcome::stallNs) / NS_PER_MS,
                max(outcomes, FaultOutcome::ackWaitNs) / NS_PER_MS);
    }

    private static long max(List<FaultOutcome> outcomes, ToLongFunction<FaultOutcome> value) {
        return outcomes.stream().mapToLong(value).max().orElse(0);
    }

    /** The smallest value that so many percent of the sorted values do not exceed. */
    static long percentile(List<Long> sorted, int percent) {
        int rank = (int) Math.ceil(sorted.size() * percent / 100.0);
        return sorted.get(Math.max(0, rank - 1));
    }
}
