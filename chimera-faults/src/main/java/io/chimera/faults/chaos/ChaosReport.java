package io.chimera.faults.chaos;

import io.chimera.faults.chaos.cluster.MemoryWatch;
import io.chimera.faults.chaos.fault.FaultKind;
import io.chimera.faults.chaos.fault.FaultOutcome;
import io.chimera.faults.chaos.fault.FaultStats;
import io.chimera.faults.chaos.intruder.AttackKind;
import io.chimera.faults.chaos.intruder.AttackTally;
import io.chimera.faults.chaos.load.RowVerdict;
import io.chimera.node.MachineFacts;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Results of a run.
 *
 * @param options of the run
 * @param verdict of the comparison of load and store
 * @param replayed cycles replayed from the journals' archives at the end; 0 without archives
 * @param outcomes of the faults, in order
 * @param outages results of the ends of whole journal groups
 * @param intrusion results of the intruder's attacks
 * @param unaccounted points of committed cycles without a commit that accounts for them, as reported by the coordinator
 * @param wrongAnswers wrong answers of inputs to valid points
 * @param memory of the processes
 * @param drainMs time from the end of the load until all points were committed; -1 on a time-out
 */
record ChaosReport(
        ChaosOptions options,
        RowVerdict verdict,
        long replayed,
        List<FaultOutcome> outcomes,
        Outages outages,
        Intrusion intrusion,
        long unaccounted,
        List<String> wrongAnswers,
        Map<String, MemoryWatch.Use> memory,
        long drainMs) {
    private static final int MIB_SHIFT = 20;

    /**
     * Results of the intruder's attacks.
     *
     * @param tally of all attempts
     * @param undeclared open ports missing from the configuration
     * @param isExpected whether there was an intruder
     */
    record Intrusion(AttackTally tally, List<String> undeclared, boolean isExpected) {
        private boolean isGood() {
            return tally.succeeded() == 0
                    && undeclared.isEmpty()
                    && (!isExpected || unproved().isEmpty());
        }

        /** Returns the kinds of attacks that reached no port. */
        private List<AttackKind> unproved() {
            return tally.unproved();
        }

        private List<String> findings() {
            List<String> findings = new ArrayList<>(tally.successes());
            undeclared.forEach(port -> findings.add("Port " + port + " is open but missing from the configuration."));
            if (isExpected) {
                unproved().forEach(attack -> findings.add("No attack " + attack.label() + " reached a port."));
            }
            return findings;
        }
    }

    /**
     * Results of the ends of whole journal groups, and of lost disks.
     *
     * @param continued ends during which cycles of the other groups were committed
     * @param waited ends during which an open cycle with a part of the dead group waited
     * @param findings descriptions of violations
     */
    record Outages(int continued, int waited, List<String> findings) {
        private Map<String, Object> toMap() {
            return Map.of("continued", continued, "waited", waited);
        }
    }

    /** Returns the faults without recovery in time. */
    private List<FaultOutcome> stuck() {
        return outcomes.stream().filter(outcome -> !outcome.isRecovered()).toList();
    }

    private int faults() {
        return outcomes.stream().mapToInt(FaultOutcome::count).sum();
    }

    /** Returns the processes that ended unexpectedly. */
    private List<String> ended() {
        return outcomes.stream().flatMap(outcome -> outcome.ended().stream()).toList();
    }

    /** Returns whether the cluster kept all guarantees. */
    boolean isGood() {
        return verdict.isGood()
                && unaccounted == 0
                && drainMs >= 0
                && stuck().isEmpty()
                && ended().isEmpty()
                && wrongAnswers.isEmpty()
                && outages.findings().isEmpty()
                && intrusion.isGood();
    }

    private Map<String, FaultStats> stats() {
        return FaultStats.byLabel(outcomes, ChaosRun.RECOVERY_PATIENCE.toNanos());
    }

    /** Returns the results as a map, for programs. */
    Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", "chaos");
        map.put("minutes", options.minutes());
        map.put("seed", options.seed());
        map.put("exactly_once", options.layout().exactlyOnce());
        map.put("zookeeper", options.layout().hasEnsemble() ? "ensemble" : "embedded");
        map.put("store", options.layout().store().name().toLowerCase(Locale.ROOT));
        map.put("groups", options.layout().groups());
        map.put("lanes", options.layout().lanes());
        map.put("good", isGood());
        map.put("lost", verdict.lost());
        map.put("doubled", verdict.doubled());
        map.put("corrupted", verdict.corrupted());
        map.put("faults", faults());
        Map<String, Object> recovery = new LinkedHashMap<>();
        stats().forEach((kind, stats) -> recovery.put(kind, figures(stats)));
        map.put("recovery", recovery);
        map.put("stuck", stuck().size());
        map.put("ended_by_itself", ended());
        map.put("group_outages_between_cycles", outages.toMap());
        map.put("intruder_succeeded", intrusion.tally().succeeded());
        map.put("intruder", intrusion.tally().toMap());
        map.put("undeclared_ports", intrusion.undeclared());
        map.put("unaccounted", unaccounted);
        map.put("acknowledged_points", verdict.acknowledged());
        map.put("stored_points", verdict.stored());
        map.put("ambiguous_points", verdict.ambiguous());
        map.put("ambiguous_points_stored", verdict.ambiguousStored());
        map.put("rows_compared", verdict.rows());
        map.put("drain_ms", drainMs);
        map.put("cycles_replayed", replayed);
        map.put("ack_wait_ms_queue_node_down", ackWaitMsQueueNodeDown());
        Map<String, Object> resident = new LinkedHashMap<>();
        memory.forEach((host, use) -> resident.put(
                host,
                Map.of(
                        "start_bytes", use.startBytes(),
                        "end_bytes", use.endBytes(),
                        "max_bytes", use.maxBytes())));
        map.put("resident", resident);
        map.put("machine", MachineFacts.collect());
        map.put("findings", findings());
        return map;
    }

    private static Map<String, Object> figures(FaultStats stats) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("faults", stats.faults());
        figures.put("since", stats.since().name().toLowerCase(Locale.ROOT));
        figures.put("p50_ms", stats.p50Ms());
        figures.put("p99_ms", stats.p99Ms());
        figures.put("max_ms", stats.maxMs());
        figures.put("stall_ms_max", stats.stallMsMax());
        figures.put("ack_wait_ms_max", stats.ackWaitMsMax());
        return figures;
    }

    /** Returns the longest acknowledgement wait at the other queue nodes while a queue node was killed. */
    private long ackWaitMsQueueNodeDown() {
        FaultStats stats = stats().get(FaultKind.QUEUE_KILL.label());
        return stats == null ? 0 : stats.ackWaitMsMax();
    }

    private List<String> findings() {
        List<String> findings = new ArrayList<>(verdict.findings());
        stuck().forEach(outcome ->
                findings.add("Not recovered: fault " + outcome.fault().number() + ", " + outcome.description() + "."));
        ended().forEach(host -> findings.add("The process of " + host + " ended unexpectedly."));
        findings.addAll(wrongAnswers);
        findings.addAll(outages.findings());
        findings.addAll(intrusion.findings());
        if (unaccounted != 0) {
            findings.add("The coordinator reports " + unaccounted + " unaccounted points.");
        }
        if (drainMs < 0) {
            findings.add("Some acknowledged points were not committed in time after the end of the load.");
        }
        return findings;
    }

    private void printAttacks(PrintWriter out) {
        out.printf("%nAttacks of the intruder      refused  unreachable  succeeded%n");
        for (AttackKind attack : AttackKind.values()) {
            out.printf(
                    "%-28s %7d %12d %10d%n",
                    attack.label(),
                    intrusion.tally().refused(attack),
                    intrusion.tally().unreachable(attack),
                    intrusion.tally().succeeded(attack));
        }
    }

    /** Prints the results as text. */
    void print(PrintWriter out) {
        out.printf("%nKind                       faults since     p50 s   p99 s   max s  stall max  ack wait max%n");
        stats().forEach((kind, stats) -> out.printf(
                "%-26s %6d %-6s %8.2f %7.2f %7.2f %10.2f %13.2f%n",
                kind,
                stats.faults(),
                stats.since().name().toLowerCase(Locale.ROOT),
                stats.p50Ms() / 1e3,
                stats.p99Ms() / 1e3,
                stats.maxMs() / 1e3,
                stats.stallMsMax() / 1e3,
                stats.ackWaitMsMax() / 1e3));
        out.printf("%nResident memory, MiB         start     end     max%n");
        memory.forEach((host, use) -> out.printf(
                "%-26s %7d %7d %7d%n",
                host, use.startBytes() >> MIB_SHIFT, use.endBytes() >> MIB_SHIFT, use.maxBytes() >> MIB_SHIFT));
        if (intrusion.isExpected()) {
            printAttacks(out);
        }
        out.printf("%nPoints acknowledged          %d%n", verdict.acknowledged());
        out.printf(
                "Points in doubt              %d, of which stored %d%n",
                verdict.ambiguous(), verdict.ambiguousStored());
        out.printf("Points stored                %d, in %d rows of key and cycle%n", verdict.stored(), verdict.rows());
        out.printf("Committed after the load     %.1f s%n", drainMs / 1e3);
        if (options.layout().hasArchive()) {
            out.printf("Cycles run again             %d%n", replayed);
        }
        out.printf("Faults                       %d%n", faults());
        out.printf("Lost %d, doubled %d, corrupted %d%n", verdict.lost(), verdict.doubled(), verdict.corrupted());
        findings().forEach(finding -> out.println("  " + finding));
        out.flush();
    }
}
