package io.chimera.node.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.control.ControlCodec;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.config.ChimeraConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.identity.LaneId;
import io.chimera.coordinator.plan.RecoveryPlan;
import io.chimera.coordinator.zookeeper.TreeRecovery;
import io.chimera.node.ExitCode;
import io.chimera.node.Json;
import io.chimera.node.cluster.ClusterLink;
import io.chimera.node.option.ConfigOptions;
import io.chimera.queue.journal.offline.JournalEvidence;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Rebuilds ZooKeeper's data from the copies on the queue nodes. */
@Command(
        name = "recover",
        description = "Rebuild lost or damaged ZooKeeper data from the copies on queue nodes.%n"
                + "Prints the plan; writes only with --yes.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:recovered, planned, or nothing to do",
            "1:refused or failed: nothing was written, or run the command again",
            "2:wrong usage",
            "78:bad configuration"
        })
final class ClusterRecoverCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private ConfigOptions options = new ConfigOptions();

    @Option(names = "--yes", description = "Write the planned data.")
    private boolean isConfirmed;

    @Option(
            names = "--from",
            paramLabel = "DIR",
            arity = "1..*",
            description = "Data folders of stopped queue nodes. Running queue nodes are queried.")
    private List<Path> folders = new ArrayList<>();

    @Option(
            names = "--without",
            paramLabel = "ID",
            arity = "1..*",
            description = "Queue nodes to ignore: their copy is lost or belongs to another cluster.")
    private List<String> without = new ArrayList<>();

    @Option(
            names = "--from-marks",
            description = "Without any copy: use the low-water marks and noted cycles of --from.")
    private boolean isFromMarks;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    private final Map<String, RecoveryPlan.Source> sources = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        ChimeraConfig config = options.load(List.of());
        folders.forEach(this::readNode);
        try (ClusterLink link = ClusterLink.openDamaged(config.coordinator(), "recover")) {
            TreeRecovery tree = link.session().recovery();
            ControlState standing = tree.read();
            boolean isSound = tree.defects().isEmpty();
            notes.addAll(tree.defects());
            tree.unreadableLosses().ifPresent(notes::add);
            askMembers(NodeClient.of(config), tree.queues());
            RecoveryPlan.Choice choice = new RecoveryPlan.Choice(
                    Set.copyOf(without),
                    isFromMarks,
                    tree.processors(),
                    Instant.now().toEpochMilli());
            RecoveryPlan.Plan plan = RecoveryPlan.plan(standing, isSound, List.copyOf(sources.values()), choice);
            refusals.addAll(plan.refusals());
            boolean isWritten = plan.isNeeded() && refusals.isEmpty() && isConfirmed;
            if (isWritten) {
                tree.write(plan.state());
            } else if (isConfirmed
                    && !plan.isNeeded()
                    && tree.unreadableLosses().isPresent()) {
                tree.mendLosses();
                notes.add("The losses of journals are written again, and all proofs of copies begin again.");
            }
            print(plan, isWritten);
            return refusals.isEmpty() ? 0 : ExitCode.FAILED;
        }
    }

    /** Reads the data folder of a node with the folders of its lanes. */
    private void readNode(Path folder) {
        for (int lane = 0; lane <= LaneId.LANE_MAX; lane++) {
            Path ofLane = LaneId.folder(folder, lane);
            if (lane == 0 || Files.isDirectory(ofLane)) {
                readFolder(ofLane);
            }
        }
    }

    private void readFolder(Path folder) {
        JournalEvidence evidence = JournalEvidence.of(folder);
        evidence.trouble().ifPresent(notes::add);
        sources.put(
                evidence.node(),
                RecoveryPlan.Source.ofFolder(
                        evidence.node(), evidence.group(), evidence.copy(), evidence.mark(), evidence.notes()));
    }

    private void askMembers(NodeClient client, List<QueueMember> members) throws InterruptedException {
        for (QueueMember member : members) {
            if (sources.containsKey(member.id()) || without.contains(member.id())) {
                continue;
            }
            try {
                String line = control(client.status(member.http(), "queue"), member.id());
                ControlState copy = line.isEmpty()
                        ? ControlState.NONE
                        : ControlCodec.decode(line.getBytes(StandardCharsets.UTF_8), "queue node " + member.id());
                sources.put(member.id(), RecoveryPlan.Source.ofMember(member, copy));
                if (isFromMarks && copy.mark().isEmpty()) {
                    refusals.add("Queue node " + member.id() + " has no copy. Name its data folder with --from, for the"
                            + " cycles noted in its journal.");
                }
            } catch (ChimeraException e) {
                notes.add("Queue node " + member.id() + " was not queried: " + e.getMessage());
            }
        }
    }

    /** Returns the control copy of a lane; each lane of a node keeps its own. Empty when the node lacks the lane. */
    private static String control(JsonNode status, String id) {
        for (JsonNode lane : status.path("lanes")) {
            if (lane.path("id").asText().equals(id)) {
                return lane.path("control").asText();
            }
        }
        return "";
    }

    private void print(RecoveryPlan.Plan plan, boolean isWritten) {
        PrintWriter out = spec.commandLine().getOut();
        ControlState state = plan.state();
        List<String> findings = new ArrayList<>(notes);
        findings.addAll(plan.findings());
        if (json) {
            Map<String, Object> figures = new LinkedHashMap<>();
            figures.put("needed", plan.isNeeded());
            figures.put("written", isWritten);
            figures.put("low", state.low().cycle());
            figures.put("open", state.cycles().keySet());
            figures.put("epoch", state.epoch());
            figures.put("group", state.roster().ids());
            figures.put("sources", sources.keySet());
            figures.put("findings", findings);
            figures.put("refusals", refusals);
            out.println(Json.line(figures));
            out.flush();
            return;
        }
        sources.values()
                .forEach(source -> out.printf(
                        "%s: %s%n",
                        source.id(),
                        source.copy().mark().isEmpty()
                                ? "no copy"
                                : "cycles up to " + source.copy().newest() + ", verified up to "
                                        + source.copy().low().cycle()));
        findings.forEach(out::println);
        refusals.forEach(refusal -> out.println("REFUSED: " + refusal));
        if (plan.isNeeded() && refusals.isEmpty()) {
            out.printf(
                    "%s: last verified cycle %d, %d points in all; %d open cycles; group %s; epoch above %d.%n",
                    isWritten ? "Written" : "To be written with --yes",
                    state.low().cycle(),
                    state.low().totals().points(),
                    state.cycles().size(),
                    String.join(", ", state.roster().ids()),
                    state.epoch());
        }
        out.flush();
    }
}
