package io.chimera.bench.capture;

import io.chimera.bench.report.Goal;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Turns measurements of captures into a report. */
final class CaptureReport {
    /** The name of the report. */
    static final String NAME = "bench capture";

    /** Ends of the names of figures. */
    static final String RATE = "_packets_per_cpu_s";

    /** See {@link #RATE}. */
    static final String WALL_RATE = "_packets_per_s";

    /** See {@link #RATE}. */
    static final String CPU = "_cpu_ns";

    private final CaptureResults results;
    private final Map<String, BigDecimal> ratios = new LinkedHashMap<>();
    private final Map<String, Goal> goals = new LinkedHashMap<>();

    CaptureReport(CaptureResults results) {
        this.results = results;
    }

    Report report(Machine machine) {
        Map<String, BigDecimal> figures = new LinkedHashMap<>();
        for (Cost cost : results.costs()) {
            figures.put(cost.who() + RATE, Rounding.to(0, cost.perCpuSecond()));
            figures.put(cost.who() + WALL_RATE, Rounding.to(0, cost.perSecond()));
            figures.put(cost.who() + CPU, Rounding.to(1, cost.cpuNs()));
        }
        figures.putAll(results.others());
        compare("nfpcapd", FilePart.CHIMERA, FilePart.NFPCAPD, "5");
        compare("softflowd", FilePart.CHIMERA, FilePart.SOFTFLOWD, "10");
        compare("loop", FilePart.CHIMERA, FilePart.LOOP, "0.8");
        live();
        variants();
        ipfix();
        return new Report(NAME, figures, ratios, goals, machine);
    }

    /** Packets per second of processor time of ours in those of the other. */
    private void compare(String ratio, String ours, String theirs, String goal) {
        Optional<Cost> own = results.cost(ours);
        Optional<Cost> other = results.cost(theirs);
        if (own.isPresent() && other.isPresent()) {
            atLeast(ratio, own.get().perCpuSecond() / other.get().perCpuSecond(), goal);
        }
    }

    private void atLeast(String ratio, double value, String goal) {
        BigDecimal seen = Rounding.to(2, value);
        ratios.put(ratio, seen);
        goals.put(ratio, Goal.atLeast(new BigDecimal(goal), seen));
    }

    private void live() {
        compare("af_xdp_over_tpacket", LivePart.AF_XDP, LivePart.TPACKET_COUNT, "1.3");
        Optional<Cost> own = results.cost(LivePart.TPACKET);
        Optional<Cost> tcpdump = results.cost(LivePart.TCPDUMP);
        if (own.isPresent() && tcpdump.isPresent()) {
            atLeast("tcpdump", own.get().perSecond() / tcpdump.get().perSecond(), "0.95");
            BigDecimal cost = Rounding.to(2, own.get().cpuNs() / tcpdump.get().cpuNs());
            ratios.put("tcpdump_cpu", cost);
            goals.put("tcpdump_cpu", Goal.atMost(new BigDecimal("1.5"), cost));
        }
        results.cost(LivePart.CHAIN)
                .ifPresent(chain -> goals.put(
                        LivePart.CHAIN + CPU, Goal.atMost(BigDecimal.valueOf(320), Rounding.to(1, chain.cpuNs()))));
        results.other(LivePart.FLOWS_DROPPED)
                .ifPresent(dropped -> goals.put(LivePart.FLOWS_DROPPED, Goal.atMost(BigDecimal.ZERO, dropped)));
    }

    /** As in the paper by time that passed, which is what a card's line gives. */
    private void variants() {
        faster("pool_with_queued", FileJob.QUEUED_POOL, FileJob.QUEUED_NO_POOL)
                .ifPresent(ratio -> goals.put("pool_with_queued", Goal.atLeast(new BigDecimal("1.5"), ratio)));
        faster("pool_with_direct", FileJob.DIRECT_POOL, FileJob.DIRECT_NO_POOL);
        faster("direct_with_pool", FileJob.DIRECT_POOL, FileJob.QUEUED_POOL);
        faster("direct_without_pool", FileJob.DIRECT_NO_POOL, FileJob.QUEUED_NO_POOL);
    }

    private void ipfix() {
        results.other(IpfixPart.RECEIVED_SHARE)
                .ifPresent(share -> goals.put(IpfixPart.RECEIVED_SHARE, Goal.atLeast(BigDecimal.valueOf(100), share)));
        results.other(IpfixPart.SEQUENCE_ERRORS)
                .ifPresent(errors -> goals.put(IpfixPart.SEQUENCE_ERRORS, Goal.atMost(BigDecimal.ZERO, errors)));
    }

    private Optional<BigDecimal> faster(String name, FileJob job, FileJob than) {
        Optional<Cost> own = results.cost(FilePart.VARIANT + job.key());
        Optional<Cost> other = results.cost(FilePart.VARIANT + than.key());
        if (own.isEmpty() || other.isEmpty()) {
            return Optional.empty();
        }
        BigDecimal ratio = Rounding.to(2, own.get().perSecond() / other.get().perSecond());
        ratios.put(name, ratio);
        return Optional.of(ratio);
    }
}
