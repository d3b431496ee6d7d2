package io.chimera.node.launch;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.Wakeup;
import io.chimera.common.channel.Endpoint;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import io.chimera.node.http.NodeFace;
import io.chimera.node.plugin.PluginNotices;
import io.chimera.queue.journal.chronicle.ChronicleJournal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Starts a queue node with its lanes. */
final class QueueLauncher implements Launcher {
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
        int count = context.config().queueLanes();
        LaneNames.check(context.id(), count, "queue.lanes");
        LaneFolders.check(context.id(), context.dataDir(), count);
        LaneCores cores = LaneCores.check(context.id(), context.config().queue().cpus(), count, "queue.cpus");
        ZooKeeperSession session = NodePorts.session(context, opened);
        List<QueueLane> wired = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            QueueLane lane = cores.start(number, () -> {
                QueueLanePorts ports = QueueLanePorts.open(context, session, count, number, cores, opened);
                return QueueLane.wire(context, ports, count, number, opened);
            });
            QueueReport.register(context.metrics(), lane);
            wired.add(lane);
        }
        QueueLanes lanes = new QueueLanes(session::view, wired, cores, context.clock());
        Map<String, Endpoint> inputs = lanes.start();
        if (count > 1) {
            watch(context, session, lanes, opened);
        }
        QueueReport.register(context.metrics(), wired.get(0).node().kernelDrops());
        PluginNotices notices = context.notices();
        NodeFace face = new MemberFace(
                context,
                () -> notReady(session, lanes),
                () -> alarms(session, lanes, cores, notices),
                () -> QueueReport.status(lanes.all(), inputs),
                lanes::pastCycles,
                Map.of("journal", limit -> tap(lanes, limit)),
                Map.of());
        OpenedNode.Holding holding = (digest, next, plugins) -> {
            context.hosts()
                    .hold(plugins, host -> lanes.hold(digest, new TreeMap<>(next.pipelines()), host), lanes::plugins);
            lanes.all().forEach(lane -> lane.retain(context.config()));
        };
        return new OpenedNode(face, holding, lanes::leave, lanes::awaits, opened);
    }

    /** Starts the agent that opens the inputs of further lanes; it stops before the lanes close. */
    private static void watch(NodeContext context, ZooKeeperSession session, QueueLanes lanes, Opened opened) {
        AgentThreads threads = opened.add(new AgentThreads(context.id(), context.errors()));
        Wakeup wakeup = new Wakeup();
        session.onView(wakeup::wake);
        threads.startControl(lanes, wakeup);
    }

    private static List<String> tap(QueueLanes lanes, int limit) {
        int share = Math.max(1, limit / lanes.all().size());
        List<String> lines = new ArrayList<>();
        for (QueueLane lane : lanes.all()) {
            lines.addAll(new JournalTap(lane.journal(), lane.identity().stream()).sample(share));
        }
        return lines.subList(0, Math.min(limit, lines.size()));
    }

    private static List<String> notReady(ZooKeeperSession session, QueueLanes lanes) {
        List<String> reasons = new ArrayList<>(session.problem().stream().toList());
        reasons.addAll(lanes.inputProblems());
        reasons.addAll(lanes.collect(QueueReport::notReady));
        reasons.addAll(lanes.waits());
        return reasons;
    }

    private static List<String> alarms(
            ZooKeeperSession session, QueueLanes lanes, LaneCores cores, PluginNotices notices) {
        List<String> alarms = new ArrayList<>(notices.all());
        alarms.addAll(session.warnings());
        alarms.addAll(cores.warnings());
        alarms.addAll(lanes.lanesWithoutPeers());
        alarms.addAll(lanes.registeredLanesNotRun());
        alarms.addAll(lanes.collect(QueueReport::alarms));
        return alarms;
    }
}
