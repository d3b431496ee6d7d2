package io.chimera.node.launch;

import io.chimera.common.channel.HttpHandler;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import io.chimera.node.dataset.worker.DatasetWorker;
import io.chimera.node.http.NodeFace;
import io.chimera.node.http.PastCycles;
import io.chimera.node.plugin.PluginNotices;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Starts a processor with its lanes. */
final class ProcessorLauncher implements Launcher {
    @Override
    public RunningNode launch(NodeContext context) {
        Opened opened = new Opened(context.errors());
        try {
            return launch(context, opened);
        } catch (RuntimeException | LinkageError e) {
            opened.close();
            throw e;
        }
    }

    private static RunningNode launch(NodeContext context, Opened opened) {
        int count = context.config().processorLanes();
        LaneNames.check(context.id(), count, "processor.lanes");
        LaneCores cores =
                LaneCores.check(context.id(), context.config().processor().cpus(), count, "processor.cpus");
        ZooKeeperSession session = NodePorts.session(context, opened);
        List<LanePorts> ports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int lane = i;
            ports.add(cores.start(lane, () -> LanePorts.open(context, session, lane, cores, opened)));
        }
        NodeArchives archives = new NodeArchives(context);
        List<ProcessorLane> wired = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            ProcessorLane lane = cores.start(
                    number, () -> ProcessorLane.wire(context, ports.get(number), count, number, archives.stores()));
            opened.add(lane.node());
            ProcessorReport.register(context.metrics(), lane);
            wired.add(lane);
        }
        ProcessorLanes lanes = new ProcessorLanes(wired, cores);
        lanes.start();
        Map<String, HttpHandler> pages = // closed before the stores
                new TreeMap<>(archives.pages(ports.get(0).cluster(), opened));
        Optional<DatasetWorker> datasets = NodeDatasets.open(context, session, archives.stores(), opened);
        datasets.ifPresent(worker -> {
            pages.putAll(worker.pages());
            worker.start();
        });
        PluginNotices notices = context.notices();
        NodeFace face = new MemberFace(
                context,
                () -> notReady(session, lanes, datasets),
                () -> warnings(session, lanes, cores, notices, datasets),
                () -> status(lanes, datasets),
                PastCycles.NONE,
                Map.of(),
                pages);
        OpenedNode.Holding holding = (digest, next, plugins) -> context.hosts()
                .hold(plugins, host -> lanes.hold(digest, new TreeMap<>(next.pipelines()), host), lanes::plugins);
        return new OpenedNode(face, holding, forGood -> leave(lanes, datasets), () -> awaits(lanes, datasets), opened);
    }

    private static void leave(ProcessorLanes lanes, Optional<DatasetWorker> datasets) {
        datasets.ifPresent(DatasetWorker::leave);
        lanes.leave();
    }

    private static Optional<String> awaits(ProcessorLanes lanes, Optional<DatasetWorker> datasets) {
        return lanes.awaits().or(() -> datasets.flatMap(DatasetWorker::awaits));
    }

    private static Map<String, Object> status(ProcessorLanes lanes, Optional<DatasetWorker> datasets) {
        Map<String, Object> status = new LinkedHashMap<>(ProcessorReport.status(lanes.all()));
        datasets.ifPresent(worker -> status.put("datasets", worker.status()));
        return status;
    }

    private static List<String> notReady(
            ZooKeeperSession session, ProcessorLanes lanes, Optional<DatasetWorker> datasets) {
        List<String> reasons = new ArrayList<>(session.problem().stream().toList());
        reasons.addAll(lanes.notReady());
        datasets.flatMap(DatasetWorker::notReady).ifPresent(reasons::add);
        return reasons;
    }

    private static List<String> warnings(
            ZooKeeperSession session,
            ProcessorLanes lanes,
            LaneCores cores,
            PluginNotices notices,
            Optional<DatasetWorker> datasets) {
        List<String> warnings = new ArrayList<>(notices.all());
        warnings.addAll(session.warnings());
        warnings.addAll(cores.warnings());
        warnings.addAll(lanes.warnings());
        datasets.ifPresent(worker -> warnings.addAll(worker.warnings()));
        return warnings;
    }
}
