package io.chimera.node.dataset;

import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.load.ConfigLoader;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.dataset.definition.JobConfig;
import io.chimera.dataset.job.InputReport;
import io.chimera.dataset.plan.StrategyWish;
import io.chimera.node.ExitCode;
import io.chimera.node.Json;
import io.chimera.node.dataset.client.JobClient;
import io.chimera.node.dataset.client.JobClient.Submitted;
import io.chimera.node.dataset.client.JobState;
import io.chimera.node.dataset.client.JobWatch;
import io.chimera.node.dataset.client.JobWatch.Watched;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;

/**
 * A job on a cluster, from its submission to its rows: the command only watches, so its end does not end the job.
 *
 * @param command prints to its streams
 * @param isJson whether only a JSON object is printed
 * @param strategy strategy in place of the one in the file of the job
 */
record ClusterRun(CommandLine command, boolean isJson, Optional<StrategyWish> strategy) {
    /**
     * Submits or continues a job, and watches it until its end.
     *
     * @param cluster configuration of the cluster
     * @param file file of the job
     * @param folder folder of the folders with rows
     * @return the exit code
     */
    int run(ChimeraConfig cluster, Path file, Path folder) throws InterruptedException {
        JobConfig written = new ConfigLoader(Map.of()).loadAs(file, JobConfig.class);
        JobConfig config = strategy.map(written::with).orElse(written);
        Path rows = folder.resolve(config.name()).resolve("rows.lp");
        try (JobClient client = JobClient.open(cluster)) {
            Submitted job = client.submit(config, file.toAbsolutePath().getParent());
            say(sentence(job, config.name()));
            if (client.workers().isEmpty()) {
                say("No node of the cluster takes part in jobs; the job waits for a processor with a section"
                        + " datasets.");
            }
            Thread hint = hint(config.name());
            Runtime.getRuntime().addShutdownHook(hint);
            Watched end;
            try {
                end = new JobWatch(client, job.id(), this::say)
                        .untilEnd(rows, config.rejects().limits().perJob());
            } finally {
                removeHook(hint);
            }
            int code = print(
                    end,
                    rows,
                    ClusterReport.write(config, end, rows.toAbsolutePath().getParent()));
            Optional<String> failure = failure(end.state(), rows.getParent());
            if (failure.isPresent()) {
                throw RejectedAll.exception(config.name(), failure.get());
            }
            return code;
        } catch (IOException e) {
            throw new ChimeraException(Category.ERROR, "Job " + config.name() + ": " + FileFailure.text(e), e);
        }
    }

    private static Optional<String> failure(JobState end, Path folder) throws IOException {
        return end.phase() == JobState.Phase.DONE
                ? RejectedAll.failure(
                        end.totals().points(), end.totals().rejected(), new InputReport(folder).rejectedEvents())
                : Optional.empty();
    }

    private static void removeHook(Thread hint) {
        try {
            Runtime.getRuntime().removeShutdownHook(hint);
        } catch (IllegalStateException e) {
            // the hint is printed: this process is ending
        }
    }

    private static String sentence(Submitted job, String name) {
        return switch (job.how()) {
            case SUBMITTED -> "Submitted job " + name + ".";
            case CONTINUED -> "Continued job " + name + ".";
            case KNOWN -> "Watching job " + name + ", which was submitted before.";
        };
    }

    private Thread hint(String name) {
        PrintWriter err = command.getErr();
        return new Thread(
                () -> {
                    err.println("The job continues without this command. See its progress with chimera dataset status "
                            + name + ", stop it with chimera dataset stop " + name + ".");
                    err.flush();
                },
                "dataset-hint");
    }

    private void say(String line) {
        if (!isJson) {
            command.getErr().println(line);
            command.getErr().flush();
        }
    }

    private int print(Watched end, Path rows, Path report) {
        PrintWriter out = command.getOut();
        JobState state = end.state();
        if (isJson) {
            Map<String, Object> figures = state.figures();
            if (end.hasRows()) {
                figures.put("file", rows.toAbsolutePath().toString());
            }
            figures.put("report", report.toString());
            out.println(Json.line(figures));
        } else {
            JobFigures.print(state, out);
            InputReport input = new InputReport(rows.getParent());
            boolean isDone = state.phase() == JobState.Phase.DONE;
            if (isDone && state.totals().splitsSkipped() > 0) {
                out.printf("Skipped splits: %s%n", input.skippedSplits());
            }
            if (isDone && state.totals().rejected() > 0) {
                out.printf("First rejected events: %s%n", input.rejectedEvents());
            }
            if (end.rejectsUnread() > 0) {
                out.printf(
                        "The rejected events of %d splits are missing there, because their nodes are away.%n",
                        end.rejectsUnread());
            }
            out.printf("Report: %s%n", report);
            if (end.hasRows()) {
                out.printf("Rows without a store: %s%n", rows);
            }
        }
        out.flush();
        return state.phase() == JobState.Phase.DONE ? 0 : ExitCode.FAILED;
    }
}
