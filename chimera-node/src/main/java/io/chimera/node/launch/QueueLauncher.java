package io.chimera.node.launch;

import io.chimera.common.agent.SerialExecutor;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.control.ControlCodec;
import io.chimera.common.composition.StateHorizon;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.JournalConfig;
import io.chimera.common.config.VolumeConfig;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.Metrics;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.metrics.QueueGauge;
import io.chimera.node.http.NodeFace;
import io.chimera.node.journal.archive.JournalArchive;
import io.chimera.node.plugin.PluginNotices;
import io.chimera.queue.QueueEnvironment;
import io.chimera.queue.QueueIdentity;
import io.chimera.queue.QueueNode;
import io.chimera.queue.QueuePorts;
import io.chimera.queue.QueueSettings;
import io.chimera.queue.QueueStatus;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import io.chimera.queue.journal.chronicle.ChronicleJournal;
import io.chimera.queue.journal.retention.PastFiles;
import io.chimera.queue.peer.LocalNode;
import io.chimera.queue.source.KernelDrops;
import io.chimera.queue.source.SeriesTracker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts a queue node. */
final class QueueLauncher implements Launcher {
    private static final Logger LOG = LoggerFactory.getLogger(QueueLauncher.class);

    @Override
    public RunningNode launch(NodeContext context) {
        ChronicleJournal.prepare();
        Opened opened = new Opened(context.errors());
        try {
            return launch(context, opened);
        } catch (RuntimeException | LinkageError e) {
            opened.close();
            throw e;
        }
    }

    private static RunningNode launch(NodeContext context, Opened opened) {
        ChimeraConfig config = context.config();
        NodePorts links = NodePorts.open(context, opened);
        Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
        ChronicleJournal journal = // closed with the node
                ChronicleJournal.open(
                        journalSettings(context),
                        context.id(),
                        context.clock(),
                        SerialExecutor.onThread(context.id() + "-journal-files", context.errors()),
                        archive(context),
                        SerialExecutor.onThread(context.id() + "-journal-archive", context.errors()));
        QueueIdentity identity = identity(context);
        QueueNode node = opened.add(new QueueNode(
                identity,
                new QueueEnvironment(
                        context.clock(),
                        links.cluster(),
                        new QueuePorts(links.transport(), links.listeners(), context.access()),
                        counters,
                        context.errors(),
                        context.plugins()),
                journal,
                new QueueSettings(
                        config.queue(),
                        config.cycle().periods(),
                        new TreeMap<>(config.inputs()),
                        new TreeMap<>(config.pipelines()))));
        register(context.metrics(), counters, node, journal);
        Map<String, Endpoint> inputs = node.start();
        register(context.metrics(), node.kernelDrops());
        inputs.forEach((input, address) -> LOG.info("Input is listening: name={} address={}", input, address));
        JournalTap tap = new JournalTap(journal, identity.stream());
        PluginNotices notices = context.notices();
        NodeFace face = new MemberFace(
                context,
                () -> notReady(node, journal, links),
                () -> alarms(node, journal, links, notices),
                () -> status(node, inputs),
                node::pastCycles,
                Map.of("journal", tap),
                Map.of());
        QueueLeave leave = new QueueLeave(identity, node, links);
        OpenedNode.Holding holding = (digest, next, plugins) -> {
            context.hosts()
                    .hold(plugins, host -> node.hold(digest, new TreeMap<>(next.pipelines()), host), node::plugins);
            journal.retainAtLeast(retainedFor(config, Duration.ofMillis(node.stateHorizonMs()))
                    .toMillis());
        };
        return new OpenedNode(face, holding, leave::begin, leave::awaits, opened);
    }

    private static PastFiles archive(NodeContext context) {
        VolumeConfig archive = context.config().queue().journal().archive();
        return archive == null ? PastFiles.NONE : JournalArchive.open(archive, context.dataDir(), context.clock());
    }

    private static JournalSettings journalSettings(NodeContext context) {
        JournalConfig config = context.config().queue().journal();
        Duration horizon = StateHorizon.of(
                context.config().pipelines().values(), context.plugins().blocks());
        DiskLimits disk =
                new DiskLimits(config.maxBytes().bytes(), config.reserve().bytes());
        return new JournalSettings(
                        context.dataDir().resolve("journal"),
                        new SyncSchedule(
                                SyncPolicy.valueOf(config.sync().name()),
                                config.interval().toMillis()),
                        disk,
                        RollLimits.within(disk, config.roll().toMillis()))
                .retaining(
                        retainedFor(context.config(), horizon).toMillis(),
                        config.retainBytes().bytes())
                .in(context.config().queue().journalGroup());
    }

    /** Returns the configured retention, or longer if the rebuild of a composition's state needs more. */
    private static Duration retainedFor(ChimeraConfig config, Duration horizon) {
        Duration configured = config.queue().journal().retainFor();
        Duration least = horizon.isZero() ? horizon : horizon.plus(StateHorizon.SLACK);
        return configured.compareTo(least) < 0 ? least : configured;
    }

    private static QueueIdentity identity(NodeContext context) {
        return new QueueIdentity(
                new LocalNode(
                        context.config().coordinator().cluster(),
                        context.id(),
                        context.config().queue().journalGroup(),
                        context.ids().getAsLong(),
                        context.ids().getAsLong()),
                context.host(),
                context.http(),
                context.agreement(),
                context.dataDir());
    }

    private static void register(
            Metrics metrics, Counters<QueueCounter> counters, QueueNode node, ChronicleJournal journal) {
        metrics.register("queue", counters);
        metrics.register(
                "queue", QueueGauge.RING_SLOTS_USED, () -> node.status().ring().used());
        metrics.register("queue", QueueGauge.RING_SLOTS, () ->
                (long) node.status().ring().slots());
        metrics.register("queue", QueueGauge.JOURNAL_SIZE_BYTES, () -> node.status()
                .journal()
                .bytes());
        metrics.register("queue", QueueGauge.JOURNAL_RETAINED_BYTES, () -> node.status()
                .journal()
                .retainedBytes());
        metrics.register(
                "queue", QueueGauge.COPIES_MISSING, () -> (long) node.status().copiesMissing());
        metrics.register("queue", QueueGauge.SOURCE_SERIES, () -> node.series().values().stream()
                .mapToLong(SeriesTracker.Status::known)
                .sum());
        metrics.register("queue", QueueGauge.DEAD_LETTERS_SIZE_BYTES, () -> node.deadLetters()
                .usedBytes());
        metrics.register("queue", QueueGauge.DEAD_LETTERS_LIMIT_BYTES, () -> node.deadLetters()
                .bytesMax());
        metrics.register("queue", QueueGauge.JOURNAL_DAMAGES, () -> (long) journal.damages());
        metrics.register("queue", QueueGauge.JOURNAL_FILES_ARCHIVED, () -> journal.archived()
                .kept());
        metrics.register("queue", QueueGauge.JOURNAL_FILES_UNARCHIVED, () -> journal.archived()
                .lost());
        metrics.register("queue", QueueGauge.JOURNAL_ARCHIVE_WAITING_BYTES, () -> journal.archived()
                .waitingBytes());
    }

    private static void register(Metrics metrics, KernelDrops drops) {
        for (String input : drops.inputs()) {
            DoubleSupplier ofInput = () -> drops.of(input);
            metrics.register(input, QueueGauge.SOURCE_DATAGRAMS_DROPPED_KERNEL, ofInput);
        }
    }

    private static List<String> notReady(QueueNode node, ChronicleJournal journal, NodePorts links) {
        QueueStatus status = node.status();
        List<String> reasons = new ArrayList<>(links.problems());
        status.notReady().ifPresent(reasons::add);
        node.awaits().ifPresent(what -> reasons.add("waits for " + what));
        String trouble = journal.trouble();
        if (!status.journal().isJournaling() && !trouble.isEmpty()) {
            reasons.add("The journal accepts no data points: " + trouble + ".");
        }
        return reasons;
    }

    private static List<String> alarms(
            QueueNode node, ChronicleJournal journal, NodePorts links, PluginNotices notices) {
        List<String> alarms = new ArrayList<>(notices.all());
        alarms.addAll(links.warnings());
        String archive = journal.archived().trouble();
        if (!archive.isEmpty()) {
            alarms.add(archive);
        }
        node.status().alarm().ifPresent(alarms::add);
        node.deadLetters().warning().ifPresent(alarms::add);
        node.series().forEach((input, series) -> {
            if (!series.reason().isEmpty()) {
                alarms.add("The input " + input + " refuses points: " + series.reason()
                        + ". Correct the sender, or raise the limit.");
            }
        });
        alarms.addAll(node.inputWarnings());
        return alarms;
    }

    private static Map<String, Object> series(QueueNode node) {
        Map<String, Object> all = new TreeMap<>();
        node.series().forEach((input, series) -> {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("known", series.known());
            figures.put("refused", series.refused());
            figures.put("reason", series.reason());
            figures.put("tags", series.tags());
            all.put(input, figures);
        });
        return all;
    }

    private static Map<String, Object> status(QueueNode node, Map<String, Endpoint> inputs) {
        QueueStatus now = node.status();
        Map<String, Object> status = new LinkedHashMap<>();
        Map<String, String> addresses = new TreeMap<>();
        inputs.forEach((input, address) -> addresses.put(input, address.toString()));
        status.put("inputs", addresses);
        status.put("journaling", now.journal().isJournaling());
        status.put("journal_bytes", now.journal().bytes());
        status.put("retained_bytes", now.journal().retainedBytes());
        status.put("control", new String(ControlCodec.encode(node.kept()), StandardCharsets.UTF_8));
        status.put("ring_slots_used", now.ring().used());
        status.put("ring_slots", now.ring().slots());
        status.put("series", series(node));
        return status;
    }
}
