package io.chimera.node.launch;

import io.chimera.common.agent.SerialExecutor;
import io.chimera.common.composition.StateHorizon;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.config.JournalConfig;
import io.chimera.common.config.QueueConfig;
import io.chimera.common.config.VolumeConfig;
import io.chimera.common.identity.LaneId;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.node.journal.archive.JournalArchive;
import io.chimera.queue.QueueEnvironment;
import io.chimera.queue.QueueIdentity;
import io.chimera.queue.QueueLimits;
import io.chimera.queue.QueueNode;
import io.chimera.queue.QueuePorts;
import io.chimera.queue.QueueSettings;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import io.chimera.queue.journal.chronicle.ChronicleJournal;
import io.chimera.queue.journal.retention.PastFiles;
import io.chimera.queue.peer.LocalNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.TreeMap;

/**
 * Lane of a queue node: a complete queue node for the cluster, with a session, a stream, a port, threads and a journal
 * of its own and a share of the limits. Lane 0 has the id, the folder and the journal group of the node; lane i of all
 * queue nodes of the group form a journal group of their own.
 *
 * @param number number of the lane, from 0
 * @param identity member of the cluster
 * @param counters counters of the lane
 * @param journal journal of the lane; closed with the node
 * @param node the queue node
 * @param leave drain of the lane
 */
record QueueLane(
        int number,
        QueueIdentity identity,
        Counters<QueueCounter> counters,
        ChronicleJournal journal,
        QueueNode node,
        QueueLeave leave) {
    /**
     * Wires a lane; nothing runs yet.
     *
     * @param lanes number of lanes of the queue node
     * @param number number of the lane, from 0
     * @param opened takes the lane, to close it with the node
     */
    static QueueLane wire(NodeContext context, QueueLanePorts ports, int lanes, int number, Opened opened) {
        ChimeraConfig config = context.config();
        QueueConfig limits = QueueLimits.of(config.queue(), lanes, number);
        QueueIdentity identity = identity(context, number);
        Counters<QueueCounter> counters = new Counters<>(QueueCounter.class);
        ChronicleJournal journal = // closed with the node
                ChronicleJournal.open(
                        journalSettings(context, limits.journal(), identity),
                        identity.id(),
                        context.clock(),
                        SerialExecutor.onThread(identity.id() + "-journal-files", context.errors()),
                        archive(context, identity.dataFolder()),
                        SerialExecutor.onThread(identity.id() + "-journal-archive", context.errors()));
        QueueNode node = opened.add(new QueueNode(
                identity,
                new QueueEnvironment(
                        context.clock(),
                        ports.cluster(),
                        new QueuePorts(ports.transport(), ports.listeners(), context.access()),
                        counters,
                        context.errors(),
                        context.plugins()),
                journal,
                new QueueSettings(
                        limits,
                        config.cycle().periods(),
                        QueueLimits.of(new TreeMap<>(config.inputs()), lanes),
                        new TreeMap<>(config.pipelines()),
                        number)));
        QueueLeave leave =
                new QueueLeave(context.id(), identity, node, ports.cluster()::view, (member, seen) -> ports.session()
                        .unregisterDrained(member, identity.session(), seen));
        return new QueueLane(number, identity, counters, journal, node, leave);
    }

    private static QueueIdentity identity(NodeContext context, int number) {
        return new QueueIdentity(
                new LocalNode(
                        context.config().coordinator().cluster(),
                        LaneId.of(context.id(), number),
                        context.config().queue().journalGroup().lane(number),
                        context.ids().getAsLong(),
                        context.ids().getAsLong()),
                context.host(),
                context.http(),
                context.agreement(),
                LaneId.folder(context.dataDir(), number));
    }

    private static PastFiles archive(NodeContext context, Path folder) {
        VolumeConfig archive = context.config().queue().journal().archive();
        return archive == null ? PastFiles.NONE : JournalArchive.open(archive, folder, context.clock());
    }

    private static JournalSettings journalSettings(NodeContext context, JournalConfig config, QueueIdentity identity) {
        Duration horizon = StateHorizon.of(
                context.config().pipelines().values(), context.plugins().blocks());
        DiskLimits disk =
                new DiskLimits(config.maxBytes().bytes(), config.reserve().bytes());
        return new JournalSettings(
                        identity.dataFolder().resolve("journal"),
                        new SyncSchedule(
                                SyncPolicy.valueOf(config.sync().name()),
                                config.interval().toMillis()),
                        disk,
                        RollLimits.within(disk, config.roll().toMillis()))
                .retaining(
                        retainedFor(context.config(), horizon).toMillis(),
                        config.retainBytes().bytes())
                .in(identity.node().group());
    }

    /** Keeps past records long enough for the rebuild of the state of all loaded pipelines. */
    void retain(ChimeraConfig config) {
        journal.retainAtLeast(
                retainedFor(config, Duration.ofMillis(node.stateHorizonMs())).toMillis());
    }

    /** Returns the configured retention, or longer if the rebuild of a composition's state needs more. */
    private static Duration retainedFor(ChimeraConfig config, Duration horizon) {
        Duration configured = config.queue().journal().retainFor();
        Duration least = horizon.isZero() ? horizon : horizon.plus(StateHorizon.SLACK);
        return configured.compareTo(least) < 0 ? least : configured;
    }
}
