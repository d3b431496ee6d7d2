package io.chimera.bench.capture;

import io.chimera.bench.report.Findings;
import io.chimera.bench.report.Machine;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.Rounding;
import java.util.Optional;

/** Turns capture measurements into a report. */
final class CaptureReport {
    /** Name of the report. */
    static final String NAME = "bench capture";

    /** Suffix of a figure: packets per second of processor time. */
    static final String RATE = "_packets_per_cpu_s";

    /** Suffix of a figure: packets per second. */
    static final String WALL_RATE = "_packets_per_s";

    /** Suffix of a figure: processor time per packet in ns. */
    static final String CPU = "_cpu_ns";

    private final CaptureResults results;
    private final Findings findings = new Findings();

    CaptureReport(CaptureResults results) {
        this.results = results;
    }

    Report report(Machine machine) {
        for (PacketCost cost : results.costs()) {
            findings.figure(cost.who() + RATE, Rounding.to(0, cost.perCpuSecond()));
            findings.figure(cost.who() + WALL_RATE, Rounding.to(0, cost.perSecond()));
            findings.figure(cost.who() + CPU, Rounding.to(1, cost.cpuNs()));
        }
        results.others().forEach(findings::figure);
        compare("nfpcapd", FilePart.CHIMERA, FilePart.NFPCAPD, "5");
        compare("softflowd", FilePart.CHIMERA, FilePart.SOFTFLOWD, "10");
        compare("loop", FilePart.CHIMERA, FilePart.LOOP, "0.8");
        live();
        variants();
        ipfix();
        return findings.report(NAME, machine);
    }

    /** Adds Chimera's packets per second of processor time divided by those of the other tool. */
    private void compare(String ratio, String ours, String theirs, String goal) {
        Optional<PacketCost> own = results.cost(ours);
        Optional<PacketCost> other = results.cost(theirs);
        if (own.isPresent() && other.isPresent()) {
            atLeast(ratio, own.get().perCpuSecond() / other.get().perCpuSecond(), goal);
        }
    }

    private void atLeast(String ratio, double value, String goal) {
        findings.ratio(ratio, Rounding.to(2, value));
        findings.atLeast(ratio, goal);
    }

    private void live() {
        compare("af_xdp_over_tpacket", LivePart.AF_XDP, LivePart.TPACKET_COUNT, "1.3");
        Optional<PacketCost> own = results.cost(LivePart.TPACKET);
        Optional<PacketCost> tcpdump = results.cost(LivePart.TCPDUMP);
        if (own.isPresent() && tcpdump.isPresent()) {
            atLeast("tcpdump", own.get().perSecond() / tcpdump.get().perSecond(), "0.95");
            findings.ratio(
                    "tcpdump_cpu",
                    Rounding.to(2, own.get().cpuNs() / tcpdump.get().cpuNs()));
            findings.atMost("tcpdump_cpu", "1.5");
        }
        findings.atMost(LivePart.CHAIN + CPU, "320");
        findings.atMost(LivePart.FLOWS_DROPPED, "0");
    }

    /**
     * Compares the variants by wall time, as the paper does, because the line rate of a network card refers to wall
     * time.
     */
    private void variants() {
        faster("pool_with_queued", FileJob.QUEUED_POOL, FileJob.QUEUED_NO_POOL);
        findings.atLeast("pool_with_queued", "1.5");
        faster("pool_with_direct", FileJob.DIRECT_POOL, FileJob.DIRECT_NO_POOL);
        faster("direct_with_pool", FileJob.DIRECT_POOL, FileJob.QUEUED_POOL);
        faster("direct_without_pool", FileJob.DIRECT_NO_POOL, FileJob.QUEUED_NO_POOL);
    }

    private void ipfix() {
        findings.atLeast(IpfixPart.RECEIVED_SHARE, "100");
        findings.atMost(IpfixPart.SEQUENCE_ERRORS, "0");
    }

    private void faster(String name, FileJob job, FileJob than) {
        Optional<PacketCost> own = results.cost(FilePart.VARIANT + job.key());
        Optional<PacketCost> other = results.cost(FilePart.VARIANT + than.key());
        if (own.isPresent() && other.isPresent()) {
            findings.ratio(
                    name, Rounding.to(2, own.get().perSecond() / other.get().perSecond()));
        }
    }
}
