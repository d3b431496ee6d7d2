package io.chimera.node.dataset;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.dataset.copy.CopyTotals;
import io.chimera.dataset.definition.JobConfig;
import io.chimera.dataset.job.JobPhase;
import io.chimera.dataset.job.JobProgress;
import io.chimera.dataset.plan.StrategyWish;
import io.chimera.dataset.report.JobReport;
import io.chimera.dataset.report.ReportFiles;
import io.chimera.node.Json;
import io.chimera.node.Terminal;
import io.chimera.node.option.ConfigOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a job over a data set, in this process or on a cluster. */
@Command(
        name = "run",
        description = "Run a job over a data set on the cluster of the configuration, or here with --local. A job that"
                + " was stopped continues when it is run again, and its rows are the same.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "1:failed or stopped", "2:wrong usage", "78:bad configuration or job"})
public final class DatasetRunCommand implements Callable<Integer> {
    private static final long UPDATE_MS = 250;

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "JOB", description = "File of the job, see docs/datasets.md.")
    private Path file;

    @Option(names = "--local", description = "Run in this process, without a cluster.")
    private boolean isLocal;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(
            names = "--folder",
            paramLabel = "DIR",
            defaultValue = "datasets",
            description = "Folder of the rows of pipelines without stores, and of the states of local jobs. Default:"
                    + " ${DEFAULT-VALUE}.")
    private Path states;

    @Option(
            names = "--allow",
            paramLabel = "HOST[:PORT]",
            description = "With --local: a further host that the source may redirect to. Repeatable.")
    private List<String> allowed = new ArrayList<>();

    @Option(
            names = "--strategy",
            paramLabel = "STRATEGY",
            description = "stream, copy, overlap or auto, in place of the strategy in the file of the job.")
    private StrategyWish strategy;

    @Option(names = "--json", description = "Print only a JSON object at the end.")
    private boolean json;

    /** Creates the command for picocli. */
    public DatasetRunCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        if (!isLocal) {
            if (!allowed.isEmpty()) {
                throw new CommandLine.ParameterException(
                        spec.commandLine(),
                        "--allow is for --local; on a cluster the key datasets.allow of the nodes counts.");
            }
            return new ClusterRun(spec.commandLine(), json, Optional.ofNullable(strategy))
                    .run(options.load(List.of()), file, states);
        }
        JobConfig written = new ConfigLoader(System.getenv()).loadAs(file, JobConfig.class);
        JobConfig config = strategy == null ? written : written.with(strategy);
        Path folder = file.toAbsolutePath().getParent();
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (LocalRun run = LocalRun.open(config, folder, states, allowed)) {
            RunDisplay display = new RunDisplay(
                    spec.commandLine().getErr(),
                    mode(),
                    new SystemClock(),
                    config.prices().prices());
            Future<?> running = thread.submit(run);
            try {
                watch(run, running, display);
            } catch (IOException e) {
                reportFailure(run, display, config, e);
                throw e;
            }
            JobProgress.Snapshot end = run.progress().snapshot();
            Optional<String> failure = RejectedAll.failure(end.points(), end.rejected(), run.rejectedEvents());
            print(run, report(run, display, config, failure.orElse("")));
            if (failure.isPresent()) {
                throw RejectedAll.exception(config.name(), failure.get());
            }
        } catch (IOException | IllegalArgumentException e) {
            throw new ChimeraException(Category.ERROR, "Job " + config.name() + " failed: " + FileFailure.text(e), e);
        } finally {
            thread.shutdownNow();
        }
        return 0;
    }

    private RunDisplay.Mode mode() {
        if (json) {
            return RunDisplay.Mode.SILENT;
        }
        return Terminal.isStandardError() ? RunDisplay.Mode.BAR : RunDisplay.Mode.LINES;
    }

    private static void watch(LocalRun run, Future<?> running, RunDisplay display)
            throws IOException, InterruptedException {
        while (true) {
            try {
                running.get(UPDATE_MS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                display.choices(run.progress().choices());
                display.update(run.progress().snapshot(), run.progress().meters());
            } catch (ExecutionException e) {
                if (e.getCause() instanceof IOException failure) {
                    throw failure;
                }
                throw new IllegalStateException("the job ended with an unexpected failure", e.getCause());
            }
        }
    }

    /** Reports a failed run; the failure matters more than a report that cannot be written. */
    private static void reportFailure(LocalRun run, RunDisplay display, JobConfig config, IOException failure) {
        try {
            report(run, display, config, String.valueOf(failure.getMessage()));
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    private static Path report(LocalRun run, RunDisplay display, JobConfig config, String failure) throws IOException {
        JobProgress progress = run.progress();
        display.choices(progress.choices());
        display.finish(progress.meters());
        JobReport report = new JobReport(
                config.name(),
                failure,
                display.seconds(),
                display.cost(progress.meters()),
                config.prices().currency(),
                progress.snapshot(),
                progress.meters().sources(),
                progress.meters().workers(),
                progress.choices(),
                progress.meters().copies(),
                display.course());
        return ReportFiles.write(report, run.folder());
    }

    private static double mebibytes(long bytes) {
        return bytes / (double) (1 << 20);
    }

    /** Returns the strategies of a run in their order; empty when there was nothing to compute. */
    private static List<String> strategies(JobProgress progress) {
        return progress.choices().stream()
                .map(choice -> choice.strategy().label())
                .toList();
    }

    private static void copies(JobProgress progress, PrintWriter out) {
        CopyTotals copies = progress.meters().copies();
        if (copies.equals(CopyTotals.NONE)) {
            return;
        }
        out.printf(
                "Strategy %s: %.1f MiB from the source, %.1f MiB from copies, %.1f MiB copied.%n",
                String.join(", then ", strategies(progress)),
                mebibytes(progress.meters().sums().received()),
                mebibytes(copies.readBytes()),
                mebibytes(copies.writtenBytes()));
        if (copies.notKeptBytes() > 0) {
            out.printf("%.1f MiB are not copied: %s%n", mebibytes(copies.notKeptBytes()), copies.trouble());
        }
    }

    private void print(LocalRun run, Path report) {
        PrintWriter out = spec.commandLine().getOut();
        JobProgress.Snapshot end = run.progress().snapshot();
        if (json) {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("job", run.name());
            figures.put("splits", end.splits());
            figures.put("bytes", end.bytes());
            figures.put("points", end.points());
            figures.put("rejected", end.rejected());
            figures.put("splits_skipped", end.splitsSkipped());
            figures.put("windows", end.windows());
            figures.put("rows", end.rows());
            figures.put("rows_left_out", end.rowsLeftOut());
            figures.put("strategy", strategies(run.progress()));
            CopyTotals copies = run.progress().meters().copies();
            figures.put("bytes_received", run.progress().meters().sums().received());
            figures.put("bytes_of_copies_read", copies.readBytes());
            figures.put("bytes_copied", copies.writtenBytes());
            figures.put("bytes_not_copied", copies.notKeptBytes());
            figures.put("folder", run.folder().toString());
            figures.put("report", report.toString());
            out.println(Json.line(figures));
        } else {
            out.printf(
                    "%d splits, %.1f MiB: %d points, %d rejected; %d windows, %d rows, %d rows left out.%n",
                    end.splits(),
                    mebibytes(end.bytes()),
                    end.points(),
                    end.rejected(),
                    end.windows(),
                    end.rows(),
                    end.rowsLeftOut());
            copies(run.progress(), out);
            if (end.splitsSkipped() > 0) {
                out.printf("%d splits are skipped and have no rows: %s%n", end.splitsSkipped(), run.skippedSplits());
            }
            if (end.rejected() > 0) {
                out.printf("First rejected events: %s%n", run.rejectedEvents());
            }
            if (run.hasRowFile() && end.phase() == JobPhase.DONE) {
                out.printf("Rows without a store: %s%n", run.rowFile());
            }
            out.printf("Report: %s%n", report);
        }
        out.flush();
    }
}
