package io.chimera.node.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.identity.LaneId;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Live node under drain: sends the command, and waits until the members of the node, a processor's lanes, are gone from
 * the coordinator's status.
 */
final class LeavingMember {
    private static final long LOOK_MS = 200;

    /** Looks in a row without an answer of the node and of the coordinator, after which the process counts as ended. */
    private static final int SILENT_LOOKS = 5;

    private final NodeClient client;
    private final String coordinator;
    private final String id;
    private final List<JsonNode> members;
    private int silentLooks;

    private LeavingMember(NodeClient client, String coordinator, String id, List<JsonNode> members) {
        this.client = client;
        this.coordinator = coordinator;
        this.id = id;
        this.members = members;
    }

    /**
     * Finds a live node by its id.
     *
     * @param role role of the node; empty for any role
     * @throws ChimeraException when the id is the id of a lane above 0, or of nodes of several roles
     */
    static Optional<LeavingMember> find(NodeClient client, String coordinator, String id, Optional<MemberRole> role)
            throws InterruptedException {
        JsonNode all = client.status(coordinator, "coordinator").path("members");
        SortedSet<String> nodes = new TreeSet<>();
        all.forEach(member -> {
            if (member.path("id").asText().equals(id) && isOf(member, role)) {
                nodes.add(node(member));
            }
        });
        if (nodes.size() > 1) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Several live nodes have the id " + id + " (" + String.join(", ", nodes)
                            + "): choose one with --role queue or --role processor.");
        }
        List<JsonNode> members = new ArrayList<>();
        all.forEach(member -> {
            if (nodes.contains(node(member))) {
                members.add(member);
            }
        });
        String node = LaneId.nodeOf(id);
        if (!node.equals(id)
                && members.stream()
                        .anyMatch(member -> member.path("id").asText().equals(node))) {
            throw new ChimeraException(
                    Category.ERROR,
                    id + " is a lane of " + node + ", and a node leaves with all its lanes: name " + node
                            + " instead.");
        }
        return members.isEmpty() ? Optional.empty() : Optional.of(new LeavingMember(client, coordinator, id, members));
    }

    private static boolean isOf(JsonNode member, Optional<MemberRole> role) {
        return role.isEmpty() || role.get().label().equals(member.path("role").asText());
    }

    /** Returns role and address, which the lanes of a node share. */
    private static String node(JsonNode member) {
        return member.path("role").asText() + " " + member.path("http").asText();
    }

    /**
     * Sends a drain command; {@code drain?remove=true} removes the member for good.
     *
     * @param afterStop next step of the operator after a hanging process was stopped, as a sentence
     * @throws ChimeraException when the node refuses the command or does not answer, with the remedy
     */
    String tell(String command, String afterStop) throws InterruptedException {
        try {
            return client.tell(address(), command);
        } catch (NoAnswerException e) {
            throw new ChimeraException(
                    Category.ERROR,
                    id + " is live for the coordinator, but does not answer at " + address()
                            + ", so it cannot be drained. Check that this address can be reached from here. If the"
                            + " process hangs, stop the process, and wait until chimera cluster status shows " + id
                            + " as dead. " + afterStop,
                    e);
        }
    }

    /** Returns the journal group of a queue node, or of its lane 0. */
    String group() {
        return members.get(0).path("group").asText();
    }

    private String address() {
        return members.get(0).path("http").asText();
    }

    /** Waits until the member is gone, and prints the reasons of the wait. */
    void awaitGone(Duration within, PrintWriter out) throws InterruptedException {
        long deadline = System.nanoTime() + within.toNanos();
        String said = "";
        while (isThere()) {
            if (System.nanoTime() > deadline) {
                throw new ChimeraException(
                        Category.ERROR,
                        id + " has not left within " + within.toSeconds()
                                + " s; the drain continues. See chimera cluster status and the node's log for the"
                                + " reason.");
            }
            String reason = reason();
            if (!reason.isEmpty() && !reason.equals(said)) {
                said = reason;
                out.println(id + ": " + reason + ".");
                out.flush();
            }
            Thread.sleep(LOOK_MS);
        }
        out.println(id + " has left.");
        out.flush();
    }

    private boolean isThere() throws InterruptedException {
        try {
            for (JsonNode member : client.status(coordinator, "coordinator").path("members")) {
                if (members.stream().anyMatch(gone -> gone.path("session").equals(member.path("session")))) {
                    silentLooks = 0;
                    return true;
                }
            }
            return false;
        } catch (ChimeraException e) {
            // The coordinator may be restarting, or be a part of the process that leaves.
            silentLooks = isAnswering() ? 0 : silentLooks + 1;
            return silentLooks < SILENT_LOOKS;
        }
    }

    private boolean isAnswering() throws InterruptedException {
        return client.isAnswering(address());
    }

    private String reason() throws InterruptedException {
        return client.reasons(address());
    }
}
