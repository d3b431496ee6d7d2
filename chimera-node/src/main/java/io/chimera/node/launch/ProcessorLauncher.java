package io.chimera.node.launch;

import io.chimera.common.channel.HttpHandler;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.identity.LaneId;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import io.chimera.node.http.NodeFace;
import io.chimera.node.http.PastCycles;
import io.chimera.node.plugin.PluginNotices;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Starts a processor with its lanes. */
final class ProcessorLauncher implements Launcher {
    /** Maximum length of the id of a member. */
    private static final int ID_LENGTH_MAX = 64;

    @Override
    public RunningNode launch(NodeContext context) {
        Opened opened = new Opened(context.errors());
        try {
            return launch(context, opened);
        } catch (RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    private static RunningNode launch(NodeContext context, Opened opened) {
        int count = context.config().processorLanes();
        checkIds(context.id(), count);
        ZooKeeperSession session = NodePorts.session(context, opened);
        List<LanePorts> ports = new ArrayList<>();
        for (int lane = 0; lane < count; lane++) {
            ports.add(LanePorts.open(context, session, lane, opened));
        }
        NodeArchives archives = new NodeArchives(context);
        List<ProcessorLane> wired = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            ProcessorLane lane = ProcessorLane.wire(context, ports.get(number), count, number, archives.stores());
            opened.add(lane.node());
            ProcessorReport.register(context.metrics(), lane);
            wired.add(lane);
        }
        ProcessorLanes lanes = new ProcessorLanes(wired);
        lanes.start();
        Map<String, HttpHandler> pages = archives.pages(ports.get(0).cluster(), opened); // closed before the stores
        PluginNotices notices = context.notices();
        NodeFace face = new MemberFace(
                context,
                () -> notReady(session, lanes),
                () -> warnings(session, lanes, notices),
                () -> ProcessorReport.status(lanes.all()),
                PastCycles.NONE,
                Map.of(),
                pages);
        OpenedNode.Holding holding = (digest, next, plugins) -> context.hosts()
                .hold(plugins, host -> lanes.hold(digest, new TreeMap<>(next.pipelines()), host), lanes::plugins);
        return new OpenedNode(face, holding, forGood -> lanes.leave(), lanes::awaits, opened);
    }

    /** Checks that the id of the last lane, the longest one, can name a member. */
    private static void checkIds(String id, int lanes) {
        String last = LaneId.of(id, lanes - 1);
        if (last.length() > ID_LENGTH_MAX) {
            throw new ChimeraException(
                    Category.FATAL,
                    "The id " + last + " of a lane has more than " + ID_LENGTH_MAX
                            + " characters. Set a shorter node.id, or processor.lanes: 1.");
        }
    }

    private static List<String> notReady(ZooKeeperSession session, ProcessorLanes lanes) {
        List<String> reasons = new ArrayList<>(session.problem().stream().toList());
        reasons.addAll(lanes.notReady());
        return reasons;
    }

    private static List<String> warnings(ZooKeeperSession session, ProcessorLanes lanes, PluginNotices notices) {
        List<String> warnings = new ArrayList<>(notices.all());
        warnings.addAll(session.warnings());
        warnings.addAll(lanes.warnings());
        return warnings;
    }
}
