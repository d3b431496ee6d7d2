package io.chimera.faults.sim.world;

import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.identity.LaneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Journal groups and lanes of a seed's cluster. Every other seed has the default group alone and one lane per process.
 *
 * @param queues configured journal groups of the queue processes q1, q2 … at the start
 * @param queueLanes numbers of lanes of the same queue processes
 * @param processorLanes lanes of every processor process
 */
public record SimTopology(List<JournalGroup> queues, List<Integer> queueLanes, int processorLanes) {
    private static final List<JournalGroup> GROUPS =
            List.of(JournalGroup.DEFAULT, new JournalGroup("east"), new JournalGroup("west"));

    /** Members of a tier: more would only make the run long. */
    private static final int MEMBERS_MAX = 8;

    /** Parts times shards of a cycle, the work of a cycle. */
    private static final int PIECES_MAX = 24;

    /** Copies the lists. */
    public SimTopology {
        queues = List.copyOf(queues);
        queueLanes = List.copyOf(queueLanes);
    }

    /** Returns the topology without groups and lanes. */
    public static SimTopology plain(Swarm swarm) {
        return new SimTopology(groups(swarm.queues(), 1, 0), Collections.nCopies(swarm.queues(), 1), 1);
    }

    /** Draws a topology; in a third of the topologies with lanes, one queue process has fewer lanes than the others. */
    public static SimTopology draw(Swarm swarm, SplittableRandom random) {
        SimTopology drawn = random.nextBoolean() ? plain(swarm) : drawLarge(swarm, random);
        int lanes = drawn.queueLanes.get(0);
        return lanes == 1 || random.nextInt(3) > 0
                ? drawn
                : drawn.withFewerLanes(random.nextInt(drawn.queues.size()), 1 + random.nextInt(lanes - 1));
    }

    private SimTopology withFewerLanes(int process, int lanes) {
        List<Integer> fewer = new ArrayList<>(queueLanes);
        fewer.set(process, lanes);
        return new SimTopology(queues, fewer, processorLanes);
    }

    /** Returns the topology in which every queue process has as many lanes as the process with most lanes. */
    public SimTopology withEqualLanes() {
        return new SimTopology(
                queues, Collections.nCopies(queueLanes.size(), Collections.max(queueLanes)), processorLanes);
    }

    /** Draws a topology with several groups or lanes; every combination of 1 to 3 groups and 1 to 4 lanes occurs. */
    public static SimTopology drawLarge(Swarm swarm, SplittableRandom random) {
        int groups = 1 + random.nextInt(3);
        int queues = groups == 1 ? swarm.queues() : groups + random.nextInt(2);
        int wanted = 1 + random.nextInt(4);
        int queueLanes = groups == 1 && wanted == 1 ? 2 : Math.min(wanted, MEMBERS_MAX / queues);
        int processorLanes = 1 + random.nextInt(4);
        while (processorLanes > 1
                && (swarm.processors() * processorLanes > MEMBERS_MAX
                        || swarm.processors() * processorLanes * queues * queueLanes > PIECES_MAX)) {
            processorLanes--;
        }
        return new SimTopology(
                groups(queues, groups, random.nextInt(2)), Collections.nCopies(queues, queueLanes), processorLanes);
    }

    private static List<JournalGroup> groups(int queues, int groups, int first) {
        List<JournalGroup> all = new ArrayList<>();
        for (int i = 0; i < queues; i++) {
            all.add(GROUPS.get((first + i % groups) % GROUPS.size()));
        }
        return all;
    }

    /** Returns the configured group of a queue process; a process that joins later belongs to one of the groups. */
    public JournalGroup groupOf(String process) {
        return queues.get(index(process));
    }

    private int index(String process) {
        return (Integer.parseInt(process.substring(1)) - 1) % queues.size();
    }

    /** Returns the journal group of a member. */
    public JournalGroup groupOfMember(String member) {
        int dot = member.indexOf('.');
        return dot < 0
                ? groupOf(member)
                : groupOf(member.substring(0, dot)).lane(Integer.parseInt(member.substring(dot + 1)));
    }

    /** Returns the ids of the members of a queue process. */
    public List<String> queueMembers(String process) {
        List<String> members = new ArrayList<>();
        for (int lane = 0; lane < queueLanes.get(index(process)); lane++) {
            members.add(LaneId.of(process, lane));
        }
        return members;
    }

    /** Returns whether the cluster has more than one group, counting each lane of a group. */
    public boolean hasGroups() {
        return queueLanes.stream().anyMatch(lanes -> lanes > 1)
                || queues.stream().distinct().count() > 1;
    }

    /** Returns whether queue processes have different numbers of lanes. */
    public boolean hasUnequalLanes() {
        return queueLanes.stream().distinct().count() > 1;
    }
}
