package io.chimera.bench.datasets.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.datasets.event.EventParserType;
import io.chimera.bench.report.ProgramRun;
import io.chimera.dataset.plan.StrategyWish;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Commands of jobs as the processes that {@code ./chimera dataset} starts, with the parser of the events on their class
 * path. One thread.
 */
public final class JobCommands {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final BenchSite site;
    private final Path folder;
    private final JobEnvironment environment;

    /**
     * Processor and JVM flags of jobs.
     *
     * @param core the only core of a job; empty for all cores
     * @param flags JVM flags in addition to those of every job
     */
    private record JobEnvironment(OptionalInt core, List<String> flags) {}

    /**
     * A job ready to run.
     *
     * @param text definition
     * @param urls address of the source, and of its replicas
     * @param passes passes of the computation per event
     */
    public record Order(JobText text, List<String> urls, int passes) {
        /** Copies the list. */
        public Order {
            urls = List.copyOf(urls);
        }

        /** Creates an order without replicas. */
        public Order(JobText text, String url, int passes) {
            this(text, List.of(url), passes);
        }
    }

    /**
     * Creates the commands of an empty folder.
     *
     * @param site place of the measurements
     */
    public JobCommands(BenchSite site) {
        this(site, new JobEnvironment(OptionalInt.empty(), List.of()));
    }

    private JobCommands(BenchSite site, JobEnvironment environment) {
        this.site = site;
        this.environment = environment;
        folder = site.folder().resolve("job");
    }

    /** Returns commands of jobs that use a single core. */
    public JobCommands onCore(int core) {
        return new JobCommands(site, new JobEnvironment(OptionalInt.of(core), environment.flags()));
    }

    /** Returns commands of jobs with further JVM flags, after the flags of these commands. */
    public JobCommands with(List<String> flags) {
        List<String> all = new ArrayList<>(environment.flags());
        all.addAll(flags);
        return new JobCommands(site, new JobEnvironment(environment.core(), List.copyOf(all)));
    }

    /**
     * Runs a job to its end, without any state of earlier runs.
     *
     * @throws IOException when the job fails
     */
    public JobTime run(Order order, StrategyWish strategy) throws IOException, InterruptedException {
        try (DeadlineProcess process = start(order, emptied(), strategy)) {
            double seconds = process.succeed(DeadlineProcess.LIMIT);
            return new JobTime(seconds, reportedSeconds());
        }
    }

    /**
     * Kills a job with kill -9, and runs the job again to its end.
     *
     * @param afterSeconds time of the kill, from the start of the process
     * @return seconds of both processes
     * @throws IOException when the job ends before it is killed, or fails later
     */
    public double killed(Order order, StrategyWish strategy, double afterSeconds)
            throws IOException, InterruptedException {
        double first;
        try (DeadlineProcess process = start(order, emptied(), strategy)) {
            first = process.killAfter(afterSeconds);
        }
        try (DeadlineProcess process = start(order, states(), strategy)) {
            return first + process.succeed(DeadlineProcess.LIMIT);
        }
    }

    /** Returns the rows of the last run. */
    public String rows() throws IOException {
        return Files.readString(states().resolve(JobText.NAME).resolve("rows.lp"), UTF_8);
    }

    /**
     * Returns the predicted seconds of a job by strategy, from {@code dataset plan}.
     *
     * @throws IOException when the job cannot be planned
     */
    public Map<String, Double> plan(Order order) throws IOException, InterruptedException {
        String states = emptied().toString();
        String file = file(order, StrategyWish.STREAM);
        List<String> arguments = List.of("dataset", "plan", file, "--json", "--folder", states);
        Path log = folder.resolve("plan.log");
        try (DeadlineProcess process = DeadlineProcess.start(command(order, arguments), folder, log)) {
            process.succeed(DeadlineProcess.LIMIT);
            Map<String, Double> seconds = new LinkedHashMap<>();
            for (JsonNode strategy : JSON.readTree(process.lastLine()).path("strategies")) {
                seconds.put(
                        strategy.path("strategy").asText(),
                        strategy.path("seconds").asDouble());
            }
            return seconds;
        }
    }

    private DeadlineProcess start(Order order, Path states, StrategyWish strategy) throws IOException {
        List<String> arguments = List.of(
                "dataset",
                "run",
                file(order, strategy),
                "--local",
                "--json",
                "--folder",
                states.toString(),
                "--strategy",
                strategy.label());
        return DeadlineProcess.start(command(order, arguments), folder, folder.resolve("run.log"));
    }

    private List<String> command(Order order, List<String> arguments) throws IOException {
        List<String> flags = new ArrayList<>(environment.flags());
        flags.add("-D" + EventParserType.PASSES + "=" + order.passes());
        List<String> command =
                site.home().nodeCommand(flags, List.of(site.home().built("chimera-bench/target/classes")), arguments);
        return environment.core().isPresent()
                ? ProgramRun.onCore(environment.core().getAsInt(), command)
                : command;
    }

    private String file(Order order, StrategyWish strategy) throws IOException {
        String copies =
                strategy == StrategyWish.STREAM ? "" : folder.resolve("copies").toString();
        Path file = folder.resolve("job.yaml");
        return Files.writeString(file, order.text().yaml(order.urls(), copies)).toString();
    }

    private Path states() {
        return folder.resolve("states");
    }

    private Path emptied() throws IOException {
        BenchFolder.emptied(folder);
        return Files.createDirectories(states());
    }

    private double reportedSeconds() throws IOException {
        return reportedSeconds(states());
    }

    /** Returns the time of a job in its report. */
    static double reportedSeconds(Path states) throws IOException {
        Path report = states.resolve(JobText.NAME).resolve("report.json");
        double seconds =
                JSON.readTree(Files.readAllBytes(report)).path("seconds").asDouble();
        if (!(seconds > 0)) {
            throw new IOException(report + " has no seconds");
        }
        return seconds;
    }
}
