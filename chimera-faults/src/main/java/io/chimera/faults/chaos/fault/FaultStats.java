package io.chimera.faults.chaos.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Statistics of a kind of fault, or of pairs of faults, in milliseconds. A missing recovery counts with the time limit
 * of the run.
 *
 * @param faults number of faults
 * @param since start of the recovery time
 * @param p50Ms median of the recovery times
 * @param p99Ms 99th percentile of the recovery times; the maximum for less than 100 faults
 * @param maxMs longest recovery
 * @param stallMsMax longest time without progress of the committed prefix
 * @param ackWaitMsMax longest wait for an acknowledgement by clients of nodes without a fault
 */
public record FaultStats(
        int faults, FaultKind.Since since, long p50Ms, long p99Ms, long maxMs, long stallMsMax, long ackWaitMsMax) {
    private static final long NS_PER_MS = 1_000_000;

    /** Returns the statistics of each kind of fault, by label. */
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

    /** Returns the smallest value that at least the given percentage of the sorted values do not exceed. */
    static long percentile(List<Long> sorted, int percent) {
        int rank = (int) Math.ceil(sorted.size() * percent / 100.0);
        return sorted.get(Math.max(0, rank - 1));
    }
}
