package io.chimera.bench.scale;

import io.chimera.bench.cgroup.CpuGroups;
import io.chimera.bench.report.MachineWatch;
import io.chimera.bench.report.Report;
import io.chimera.bench.report.ReportOptions;
import io.chimera.bench.scale.quota.Growth;
import io.chimera.bench.scale.quota.QuotaPlan;
import io.chimera.bench.scale.quota.QuotaRun;
import io.chimera.bench.scale.quota.QuotaTable;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code chimera bench scale}. */
@Command(
        name = "scale",
        description = {
            "Measure clusters of growing size, cardinality and number of tags.",
            "Runs clusters of processes with more and more processors, queue nodes, series and tags: points per"
                    + " second of CPU time and of wall-clock time, and the cost of a point. The last line of standard"
                    + " output is the report as one JSON object; everything else goes to standard error.",
            "With --quota, compares clusters whose processors, journal groups or lanes have a limited share of a core"
                    + " each."
        })
public final class ScaleCommand implements Callable<Integer> {
    private static final double NO_QUOTA = 0;
    private static final double QUOTA_MIN = 1;
    private static final double QUOTA_MAX = 100;

    @Mixin
    private ReportOptions options;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--quota",
            paramLabel = "PERCENT",
            description = "Limit each processor, journal group or lane to this share of a core, and compare clusters of"
                    + " growing size. Needs writable control groups.")
    private double quota = NO_QUOTA;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "PART",
            description = "With --quota, measure the growth of only these parts: ${COMPLETION-CANDIDATES}")
    private Set<Growth> only = EnumSet.allOf(Growth.class);

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "With --quota, run all clusters this number of times; the figures are medians.")
    private int rounds = 1;

    private ScaleCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        ChimeraHome home = ChimeraHome.find();
        if (quota != NO_QUOTA) {
            return limited(home);
        }
        if (only.size() < Growth.values().length || rounds != 1) {
            throw new ParameterException(spec.commandLine(), "--only and --rounds need --quota.");
        }
        MachineWatch watch = new MachineWatch(home.folder());
        ScaleResults results = new ScaleResults();
        ScaleRun run =
                new ScaleRun(home, options.isQuick() ? ScaleEffort.QUICK : ScaleEffort.FULL, results, options::log);
        run.nodes();
        run.series();
        Report report = new ScaleReport(results).report(watch.finish(options.invocation()));
        options.print(report, () -> new ScaleTable(report).text());
        return 0;
    }

    private static String names(Set<Growth> parts) {
        return parts.stream().map(part -> part.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining(","));
    }

    private int limited(ChimeraHome home) throws IOException, InterruptedException {
        if (!(quota >= QUOTA_MIN && quota <= QUOTA_MAX)) {
            throw new ParameterException(
                    spec.commandLine(), "--quota is a share of a core from 1 to 100 percent, not " + quota + ".");
        }
        if (rounds < 1) {
            throw new ParameterException(spec.commandLine(), "--rounds is 1 or more, not " + rounds + ".");
        }
        QuotaPlan plan = new QuotaPlan(quota, only, rounds, options.isQuick());
        MachineWatch watch = new MachineWatch(home.folder());
        try (CpuGroups groups = CpuGroups.open()) {
            QuotaRun run = new QuotaRun(home, groups, plan, options::log);
            String invocation = options.invocation() + " --quota "
                    + BigDecimal.valueOf(quota).stripTrailingZeros().toPlainString() + " --rounds " + rounds
                    + (only.size() < Growth.values().length ? " --only " + names(only) : "");
            Report report = run.report(() -> watch.finish(invocation));
            options.print(report, () -> new QuotaTable(report).text());
        }
        return 0;
    }
}
