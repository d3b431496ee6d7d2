package io.chimera.node.replay;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.node.ExitCode;
import io.chimera.node.Json;
import io.chimera.node.cluster.ClusterLink;
import io.chimera.node.option.ConfigOptions;
import io.chimera.node.watch.NodeClient;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Replays past cycles through the current pipelines (Chimera 2017, III-F2). */
@Command(
        name = "replay",
        description = "Replay past cycles through the current pipelines, during live traffic.%n"
                + "Journals retain cycles for queue.journal.retain_for and retain_bytes.%n"
                + "New rows replace the old rows.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:planned or requested, or with --wait: complete",
            "1:failed, or with --wait: a cycle was skipped or the replay withdrawn",
            "2:wrong usage",
            "78:bad configuration"
        })
public final class ReplayCommand implements Callable<Integer> {
    private static final DateTimeFormatter ID_TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmssSSS").withZone(ZoneOffset.UTC);
    private static final long LOOK_MS = 100;
    private static final long PRINT_NS = TimeUnit.SECONDS.toNanos(2);

    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(
            names = "--from",
            paramLabel = "CYCLE|TIME",
            converter = CycleBound.Converter.class,
            description = "First cycle: its number, or a time such as 2026-05-01T10:00:00Z.")
    private CycleBound from;

    @Option(
            names = "--to",
            paramLabel = "CYCLE|TIME",
            converter = CycleBound.Converter.class,
            description = "Last cycle, or a time after it. Default: the last committed cycle.")
    private CycleBound to;

    @Option(names = "--pipeline", paramLabel = "NAME", description = "Only this pipeline. Default: all.")
    private String pipeline;

    @Option(names = "--partial", description = "Replay the available cycles of an incomplete range.")
    private boolean isPartial;

    @Option(names = "--dry-run", description = "Print the plan only.")
    private boolean isDryRun;

    @Option(names = "--wait", description = "Wait until the replay is done and show its progress.")
    private boolean waits;

    @Option(names = "--json", description = "Print only a JSON object at the end.")
    private boolean json;

    @Option(names = "--cancel", paramLabel = "ID", description = "Withdraw the replay with this id instead.")
    private String cancelled;

    private PrintWriter out;

    /** Creates the command for picocli. */
    public ReplayCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        out = spec.commandLine().getOut();
        if ((from == null) == (cancelled == null)) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(), "Give a range with --from and --to, or a replay with --cancel.");
        }
        ChimeraConfig config = options.load(List.of());
        if (pipeline != null && !config.pipelines().containsKey(pipeline)) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "There is no pipeline '" + pipeline + "'; expected "
                            + String.join(", ", new TreeSet<>(config.pipelines().keySet())) + ".");
        }
        try (ClusterLink link = ClusterLink.open(config.coordinator(), "replay")) {
            return cancelled == null ? run(config, link) : cancel(link);
        } finally {
            out.flush();
        }
    }

    private int run(ChimeraConfig config, ClusterLink link) throws InterruptedException {
        ReplayPlan plan = plan(config, link.view());
        if (!json) {
            plan.print(out);
        }
        Map<String, Object> figures = plan.figures();
        figures.put("dry_run", isDryRun);
        if (isDryRun) {
            return end(figures, 0);
        }
        if (!plan.missing().isEmpty() && !isPartial) {
            throw new ChimeraException(
                    Category.ERROR,
                    plan.missingText() + " Nothing was started; --partial replays the available cycles.");
        }
        String id = ID_TIME.format(Instant.now())
                + String.format("-%04x", ThreadLocalRandom.current().nextInt(1 << 16));
        List<ReplayRequest> requests = plan.requests(id, pipeline == null ? "" : pipeline);
        requests.forEach(link.session()::requestReplay);
        figures.put("id", id);
        if (!json) {
            out.printf("Requested replay %s; chimera cluster status shows its progress.%n", id);
            out.flush();
        }
        return waits ? await(link, plan, requests, figures) : end(figures, 0);
    }

    private ReplayPlan plan(ChimeraConfig config, ClusterView view) throws InterruptedException {
        NodeClient client = NodeClient.of(config);
        long last = view.low().cycle();
        List<String> pipelines =
                pipeline == null ? List.copyOf(new TreeSet<>(config.pipelines().keySet())) : List.of(pipeline);
        return ReplayPlan.of(
                from,
                to == null ? new CycleBound(Math.max(1, last), 0) : to,
                new HeldCycles(client).of(view.queues()),
                last,
                bytesPerPoint(client, view.queues()),
                pipelines);
    }

    /** Estimates the size of a point from the queue nodes' metrics since their start. */
    private static double bytesPerPoint(NodeClient client, List<QueueMember> queues) throws InterruptedException {
        double bytes = 0;
        double points = 0;
        for (QueueMember member : queues) {
            Map<String, Double> metrics = client.metrics(member.http());
            bytes += metrics.getOrDefault(QueueCounter.JOURNAL_BYTES.metricName() + "_total", 0.0);
            points += metrics.getOrDefault(QueueCounter.JOURNAL_POINTS.metricName() + "_total", 0.0);
            points += metrics.getOrDefault(QueueCounter.JOURNAL_POINTS_COPIED.metricName() + "_total", 0.0);
        }
        return points == 0 ? 0 : bytes / points;
    }

    private int await(ClusterLink link, ReplayPlan plan, List<ReplayRequest> requests, Map<String, Object> figures)
            throws InterruptedException {
        ReplayProgress progress = new ReplayProgress(requests);
        String last = requests.get(requests.size() - 1).id();
        link.await(view -> view.replays().requests().containsKey(last));
        long printAtNs = System.nanoTime();
        while (!progress.isDone() && !progress.isWithdrawn()) {
            progress.look(link.view().replays());
            if (!json && System.nanoTime() - printAtNs >= 0) {
                printAtNs = System.nanoTime() + PRINT_NS;
                out.printf("%d of %d cycles.%n", progress.done(), plan.cycles().size());
                out.flush();
            }
            Thread.sleep(LOOK_MS);
        }
        figures.putAll(progress.figures());
        if (!json) {
            print(progress);
        }
        return end(figures, progress.skipped() > 0 || progress.isWithdrawn() ? ExitCode.FAILED : 0);
    }

    private void print(ReplayProgress progress) {
        LowMark.Totals accounts = progress.accounts();
        out.printf(
                "Replayed %d cycles: %d points = %d aggregated + %d late + %d rejected + %d filtered; %d rows.%n",
                progress.done() - progress.skipped(),
                accounts.points(),
                accounts.aggregated(),
                accounts.late(),
                accounts.rejected(),
                accounts.filtered(),
                accounts.rows());
        if (progress.skipped() > 0) {
            out.printf("%d cycles were skipped: the journals no longer had their points.%n", progress.skipped());
        }
        if (progress.isWithdrawn()) {
            out.println("The replay was withdrawn before it was done.");
        }
    }

    private int cancel(ClusterLink link) {
        List<String> ids = link.view().replays().requests().values().stream()
                .filter(request -> !request.isDone() && request.id().startsWith(cancelled))
                .map(ReplayRequest::id)
                .toList();
        if (ids.isEmpty()) {
            throw new ChimeraException(
                    Category.ERROR,
                    "There is no unfinished replay '" + cancelled + "'; chimera cluster status lists all replays.");
        }
        ids.forEach(link.session()::withdrawReplay);
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("withdrawn", ids);
        if (!json) {
            out.printf("Withdrawn: %s.%n", String.join(", ", ids));
        }
        return end(figures, 0);
    }

    private int end(Map<String, Object> figures, int exitCode) {
        if (json) {
            out.println(Json.line(figures));
        }
        return exitCode;
    }
}
