package io.chimera.faults.sim;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chimera.faults.sim.mutant.Mutant;
import io.chimera.faults.sim.plane.PlaneFigures;
import io.chimera.faults.sim.plane.PlaneReport;
import io.chimera.faults.sim.plane.PlaneRun;
import io.chimera.faults.sim.plane.PlaneSize;
import io.chimera.faults.sim.plane.RealFigures;
import io.chimera.faults.sim.plane.RealPlane;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code chimera sim}: clusters of real nodes with simulated time, network, disks, ZooKeeper and store; one cluster per
 * seed.
 */
@Command(
        name = "sim",
        description = {
            "Simulate clusters of real nodes under faults and check invariants.",
            "Simulates one cluster per seed. Exit code 1: an invariant was violated, or a mutant was not caught."
        })
public final class SimCommand implements Callable<Integer> {
    private static final long SEEDS_DEFAULT = 1_000;

    /** Time between two progress lines. */
    private static final long PROGRESS_NS = TimeUnit.SECONDS.toNanos(5);

    @Spec
    private CommandSpec spec;

    @Option(names = "--seeds", description = "Number of seeds. Default: 1000, or 1 with --seed.")
    private Long seeds;

    @Option(names = "--seed", description = "First seed. Default: 1.")
    private Long seed;

    @Option(
            names = "--mutant",
            description = "Run nodes with an injected defect, which must be caught: NAME, each, or list.")
    private String mutant;

    @Option(names = "--trace", description = "Print the events of a seed.")
    private boolean trace;

    @Option(names = "--nodes", split = ",", description = "Measure the control plane of clusters with N,N,... nodes.")
    private List<Integer> nodes;

    @Option(
            names = "--lanes",
            split = ",",
            defaultValue = "1",
            description = "With --nodes: lanes of each node. Default: 1.")
    private List<Integer> lanes;

    @Option(names = "--real", description = "With --nodes: real time, and an embedded ZooKeeper server on loopback.")
    private boolean real;

    @Option(
            names = "--cycles",
            defaultValue = "10",
            description = "With --nodes: number of measured cycles. Default: 10.")
    private int cycles;

    @Option(names = "--json", description = "Print a JSON object as the last line.")
    private boolean json;

    /** Called by picocli. */
    public SimCommand() {}

    @Override
    public Integer call() throws Exception {
        // The nodes' logs are off, because a second has hundreds of faults; the trace shows the important events.
        System.setProperty("chimera.log.level", System.getProperty("chimera.log.level", "OFF"));
        long first = seed == null ? 1 : seed;
        if ("list".equals(mutant)) {
            Stream.of(Mutant.values()).forEach(known -> out().println(known.label()));
            return 0;
        }
        if (nodes != null) {
            return measurePlane();
        }
        if (trace) {
            return trace(first);
        }
        if (mutant != null) {
            return hunt(first, seeds == null ? SEEDS_DEFAULT : seeds);
        }
        return run(first, seeds != null ? seeds : seed != null ? 1 : SEEDS_DEFAULT);
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private int measurePlane() throws Exception {
        PlaneReport report = new PlaneReport();
        if (!real) {
            out().println(PlaneReport.title());
        }
        for (int lanesOfNode : lanes) {
            for (int count : nodes) {
                PlaneSize size = new PlaneSize(count, lanesOfNode);
                if (real) {
                    RealFigures figures = measureReal(size);
                    report.add(figures);
                    out().println(PlaneReport.line(figures));
                } else {
                    PlaneFigures figures = PlaneRun.measure(size, cycles);
                    report.add(figures);
                    out().println(PlaneReport.line(figures));
                }
                out().flush();
            }
        }
        print(report.asMap());
        return 0;
    }

    private RealFigures measureReal(PlaneSize size) throws Exception {
        Path folder = Files.createTempDirectory("chimera-plane");
        try (RealPlane plane = new RealPlane(size, folder)) {
            return plane.measure(cycles);
        } finally {
            IoUtil.delete(folder.toFile(), true);
        }
    }

    private int trace(long first) {
        SeedResult result = mutant == null
                ? new SeedRun(first, null, out()).run()
                : MutantLoader.load(mutant(), out()).apply(first);
        out().println(result.isSound() ? "Seed " + first + " is sound." : found(result, null));
        out().flush();
        return result.isSound() ? 0 : 1;
    }

    private int run(long first, long count) {
        long begunNs = System.nanoTime();
        SimReport report = new SimReport();
        AtomicLong saidNs = new AtomicLong(begunNs);
        Runnable unfinished = () -> {
            out().printf("Interrupted after %d of %d seeds:%n", report.seeds(), count);
            print(report, begunNs);
        };
        try (InterruptReport interrupt = new InterruptReport(unfinished)) {
            SeedFarm.onAllCores()
                    .run(
                            first,
                            count,
                            result -> interrupt.unlessInterrupted(() -> {
                                report.add(result);
                                if (!result.isSound()) {
                                    out().println(found(result, null));
                                }
                                if (System.nanoTime() - saidNs.get() >= PROGRESS_NS) {
                                    saidNs.set(System.nanoTime());
                                    out().printf("%d of %d seeds, %d bad%n", report.seeds(), count, report.bad());
                                }
                                out().flush();
                            }));
            interrupt.end(() -> print(report, begunNs));
        }
        return report.bad() == 0 ? 0 : 1;
    }

    private void print(SimReport report, long begunNs) {
        long elapsedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNs);
        out().print(report.text(elapsedMs));
        print(report.asMap(elapsedMs));
    }

    private int hunt(long first, long count) {
        List<Mutant> hunted = mutant.equals("each") ? List.of(Mutant.values()) : List.of(mutant());
        Map<String, Object> caught = new LinkedHashMap<>();
        List<String> missed = new ArrayList<>();
        Runnable figures = () -> {
            out().printf("%d of %d mutants caught%n", caught.size(), hunted.size());
            print(Map.of("caught", caught, "missed", missed));
        };
        Runnable unfinished = () -> {
            out().printf("Interrupted after %d of %d mutants:%n", caught.size() + missed.size(), hunted.size());
            figures.run();
        };
        try (InterruptReport interrupt = new InterruptReport(unfinished)) {
            SeedFarm.onAllCores()
                    .hunt(
                            hunted,
                            first,
                            count,
                            (known, result) -> interrupt.unlessInterrupted(() -> {
                                if (result.isSound()) {
                                    missed.add(known.label());
                                    out().printf("%-24s NOT CAUGHT by %d seeds%n", known.label(), count);
                                } else {
                                    caught.put(
                                            known.label(),
                                            Map.of(
                                                    "seeds",
                                                    result.seed() - first + 1,
                                                    "invariant",
                                                    result.invariant()));
                                    out().printf("%-24s caught: %s%n", known.label(), found(result, known));
                                }
                                out().flush();
                            }));
            interrupt.end(figures);
        }
        return missed.isEmpty() ? 0 : 1;
    }

    private Mutant mutant() {
        return Stream.of(Mutant.values())
                .filter(known -> known.label().equals(mutant))
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(), "There is no mutant '" + mutant + "'; --mutant list prints the names."));
    }

    private static String found(SeedResult result, Mutant mutant) {
        return result.invariant() + " does not hold with seed " + result.seed() + ": " + result.seen()
                + System.lineSeparator() + "  To repeat: ./chimera sim --seed " + result.seed()
                + (mutant == null ? "" : " --mutant " + mutant.label()) + " --trace";
    }

    private void print(Map<String, Object> figures) {
        if (json) {
            try {
                out().println(new ObjectMapper().writeValueAsString(figures));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException(e);
            }
        }
        out().flush();
    }
}
