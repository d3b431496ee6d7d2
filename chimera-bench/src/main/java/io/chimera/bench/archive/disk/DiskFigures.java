package io.chimera.bench.archive.disk;

import io.chimera.bench.report.Findings;
import io.chimera.bench.report.Rounding;
import java.util.List;
import java.util.Optional;

/** Turns measurements of the disk into figures, ratios and goals of a report. */
public final class DiskFigures {
    /** Suffix of a figure: mean MiB/s until all data was on the disk. */
    public static final String MEAN = "_mib_per_s";

    /** Suffix of a figure: MiB in the worst second. */
    public static final String WORST_SECOND = "_worst_second_mib";

    /** Suffix of a figure: MiB/s in the worst half second. */
    public static final String WORST_HALF = "_worst_half_second_mib_per_s";

    /** Suffix of a figure: longest wait of one record in ms. */
    public static final String LONGEST = "_longest_ms";

    /** Lower bound in MiB/s for divisors of ratios: some writers stop completely. */
    private static final double LEAST = 1;

    private final DiskResults results;
    private final Findings findings = new Findings();

    private DiskFigures(DiskResults results) {
        this.results = results;
    }

    /** Returns the figures of the results. */
    public static Findings of(DiskResults results) {
        DiskFigures figures = new DiskFigures(results);
        results.paces().values().forEach(figures::add);
        results.means().forEach((who, mean) -> figures.findings.figure(who + MEAN, Rounding.to(0, mean)));
        figures.capped();
        figures.uncapped();
        figures.losses();
        figures.zones();
        return figures.findings;
    }

    private void add(Pace pace) {
        findings.figure(pace.who() + MEAN, Rounding.to(0, pace.meanMib()));
        findings.figure(pace.who() + WORST_SECOND, Rounding.to(0, pace.worstSecondMib()));
        findings.figure(pace.who() + WORST_HALF, Rounding.to(0, pace.worstHalfMib()));
        findings.figure(pace.who() + LONGEST, Rounding.to(1, pace.longestMs()));
    }

    private void capped() {
        String name = "capped";
        Optional<Pace> found = results.pace(name + DiskPart.STORE);
        if (found.isEmpty()) {
            return;
        }
        Pace store = found.get();
        atLeast("cap_mean", store.meanMib() * DiskSite.MIB / DiskSite.CAP, "0.95");
        atLeast("worst_over_mean", store.worstSecondMib() / store.meanMib(), "0.9");
        results.pace(name + DiskPart.XFS)
                .ifPresent(xfs ->
                        atLeast("xfs_worst", store.worstSecondMib() / Math.max(LEAST, xfs.worstSecondMib()), "10"));
        results.pace(name + DiskPart.XFS_RANGED)
                .ifPresent(xfs -> atLeast(
                        "xfs_ranged_worst", store.worstSecondMib() / Math.max(LEAST, xfs.worstSecondMib()), "1.2"));
        results.pace(name + DiskPart.XFS_THREADS)
                .ifPresent(xfs -> findings.ratio(
                        "xfs_threads_longest", Rounding.to(3, store.longestMs() / Math.max(LEAST, xfs.longestMs()))));
    }

    private void uncapped() {
        String name = "uncapped";
        Optional<Pace> store = results.pace(name + DiskPart.STORE);
        if (store.isEmpty()) {
            return;
        }
        for (String other : List.of(DiskPart.RAW, DiskPart.FIO)) {
            results.mean(name + other)
                    .ifPresent(mean ->
                            atLeast("uncapped" + other + "_mean", store.get().meanMib() / mean, "0.9"));
        }
        results.pace(name + DiskPart.XFS)
                .ifPresent(xfs -> atMost("uncapped_xfs_longest", store.get().longestMs() / xfs.longestMs(), "0.2"));
    }

    private void losses() {
        loss("utilisation_70_loss", "utilisation_0", "utilisation_70", "0.02");
        loss("utilisation_90_loss", "utilisation_0", "utilisation_90", "0.12");
        loss("reads_loss", DiskPart.NO_READS, DiskPart.READS, "0.2");
        double[] means = DiskPart.STREAMS.stream()
                .map(streams -> results.pace("streams_" + streams))
                .flatMap(Optional::stream)
                .mapToDouble(Pace::meanMib)
                .sorted()
                .toArray();
        if (means.length == DiskPart.STREAMS.size()) {
            atMost("streams_spread", means[means.length - 1] / means[0] - 1, "0.1");
        }
    }

    private void loss(String name, String whole, String less, String goal) {
        Optional<Pace> before = results.pace(whole);
        Optional<Pace> after = results.pace(less);
        if (before.isPresent() && after.isPresent()) {
            atMost(name, 1 - after.get().meanMib() / before.get().meanMib(), goal);
        }
    }

    private void zones() {
        Optional<Pace> straight = results.pace(DiskPart.FRONT_TO_END);
        Optional<Pace> inTurn = results.pace(DiskPart.REGIONS);
        if (straight.isPresent() && inTurn.isPresent()) {
            Pace balanced = inTurn.get();
            atLeast("zones_worst", balanced.worstSecondMib() / straight.get().worstSecondMib(), "1.3");
            double between = balanced.bestSecondMib() - balanced.worstSecondMib();
            atMost("zones_variation", between / balanced.meanMib(), "0.04");
        }
    }

    private void atLeast(String name, double value, String goal) {
        findings.ratio(name, Rounding.to(2, value));
        findings.atLeast(name, goal);
    }

    private void atMost(String name, double value, String goal) {
        findings.ratio(name, Rounding.to(3, value));
        findings.atMost(name, goal);
    }
}
