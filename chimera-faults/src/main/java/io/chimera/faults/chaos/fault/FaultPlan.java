package io.chimera.faults.chaos.fault;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Endless sequence of faults, a function of the seed. Kinds are dealt like cards: each kind appears once before any
 * kind repeats, so a run of some minutes has all kinds. One thread.
 */
public final class FaultPlan {
    private static final int PAUSE_MS_MIN = 500;
    private static final int PAUSE_MS_MAX = 2_500;

    /** Minimum step of a clock; steps range from seconds to minutes. */
    private static final int STEP_SECONDS_MIN = 2;

    private static final int STEP_SECONDS_MAX = 90;

    /** A fault out of this number has a companion during its time. */
    private static final int COMPANION_EVERY = 4;

    private final Random random;
    private final Hosts hosts;
    private final List<FaultKind> kinds;
    private final Deque<FaultKind> dealt = new ArrayDeque<>();
    private int number;

    /**
     * Hosts of the faults, by role.
     *
     * @param coordinators at least one
     * @param groups queue nodes of each journal group by its name; at least two queue nodes per group
     * @param processors at least one
     * @param smallDisk the queue node on a small disk
     * @param failingVolume the processor whose archive can fail
     */
    public record Hosts(
            List<String> coordinators,
            Map<String, List<String>> groups,
            List<String> processors,
            String smallDisk,
            String failingVolume) {
        /** Returns the queue nodes of all groups. */
        List<String> queues() {
            return groups.values().stream().flatMap(List::stream).toList();
        }

        /** Returns the queue nodes of the group of a queue node. */
        List<String> groupOf(String queue) {
            return groups.values().stream()
                    .filter(nodes -> nodes.contains(queue))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /**
     * Creates a plan.
     *
     * @param kinds kinds possible on this machine
     */
    public FaultPlan(long seed, Hosts hosts, List<FaultKind> kinds) {
        random = new Random(seed);
        this.hosts = hosts;
        this.kinds = List.copyOf(kinds);
        if (kinds.isEmpty()) {
            throw new ChimeraException(
                    Category.FATAL,
                    "None of the requested faults is possible in this cluster on this machine. Choose others with"
                            + " --faults.");
        }
    }

    /** Returns the next fault. */
    public Fault next() {
        if (dealt.isEmpty()) {
            List<FaultKind> deck = new ArrayList<>(kinds);
            Collections.shuffle(deck, random);
            dealt.addAll(deck);
        }
        return of(dealt.remove(), ++number);
    }

    private Fault of(FaultKind kind, int number) {
        String victim = victim(kind);
        String peer =
                switch (kind) {
                    case PARTITION_ONE_WAY, PARTITION_TWO_WAY -> peer(victim);
                    default -> "";
                };
        int holdMs = between(kind.holdMsMin(), kind.holdMsMax());
        int pauseMs = between(PAUSE_MS_MIN, PAUSE_MS_MAX);
        int step = kind == FaultKind.CLOCK_STEP ? step() : 0;
        return new Fault(number, kind, victim, peer, holdMs, pauseMs, step);
    }

    /**
     * Returns a second fault during another fault; mostly none. The second fault ends with the first. The second fault
     * has a different kind and host, or is a twin: the same kind at a queue node of another journal group.
     */
    public Optional<Fault> companion(Fault first) {
        if (first.kind().hasTwins() && hosts.groups().size() > 1 && random.nextBoolean()) {
            return Optional.of(twin(first));
        }
        List<FaultKind> others =
                kinds.stream().filter(kind -> kind.goesWith(first.kind())).toList();
        if (others.isEmpty() || random.nextInt(COMPANION_EVERY) != 0) {
            return Optional.empty();
        }
        Fault second = of(others.get(random.nextInt(others.size())), first.number());
        boolean sameHost = !second.victim().isEmpty() && second.victim().equals(first.victim());
        if (sameHost) {
            return Optional.empty();
        }
        return Optional.of(second);
    }

    /** Returns the same kind of fault in another group: with two copies, each group may lose one disk. */
    private Fault twin(Fault first) {
        List<String> others = new ArrayList<>(hosts.queues());
        others.removeAll(hosts.groupOf(first.victim()));
        return new Fault(first.number(), first.kind(), any(others), "", first.holdMs(), first.pauseMs(), 0);
    }

    private String victim(FaultKind kind) {
        return switch (kind) {
            case QUEUE_KILL, QUEUE_PAUSE, DISK_LOST -> any(hosts.queues());
            case PROCESSOR_KILL, PROCESSOR_PAUSE, ARCHIVE_FLUSH_KILL -> any(hosts.processors());
            case COORDINATOR_KILL, COORDINATOR_PAUSE -> any(hosts.coordinators());
            case PARTITION_ONE_WAY, PARTITION_TWO_WAY, LINK_DOWN -> any(dataNodes());
            case PARTITION_FROM_ZOOKEEPER -> any(allNodes());
            case CLOCK_STEP -> random.nextBoolean() ? any(hosts.coordinators()) : any(dataNodes());
            case DISK_FULL -> hosts.smallDisk();
            case ARCHIVE_DEVICE_FAILS -> hosts.failingVolume();
            case GROUP_KILL, GROUP_KILL_BETWEEN_CYCLES ->
                any(List.copyOf(hosts.groups().keySet()));
            case ZOOKEEPER_LEADER_KILL, ZOOKEEPER_QUORUM_LOSS, ZOOKEEPER_DATA_LOST, STORE_KILL, INTRUDER -> "";
        };
    }

    /**
     * Returns a node that the victim communicates with: processors never communicate with each other, and neither do
     * queue nodes of different journal groups.
     */
    private String peer(String victim) {
        List<String> peers = new ArrayList<>();
        if (hosts.processors().contains(victim)) {
            peers.addAll(hosts.queues());
        } else {
            peers.addAll(hosts.groupOf(victim));
            peers.addAll(hosts.processors());
        }
        peers.remove(victim);
        return any(peers);
    }

    private List<String> dataNodes() {
        List<String> nodes = new ArrayList<>(hosts.queues());
        nodes.addAll(hosts.processors());
        return nodes;
    }

    private List<String> allNodes() {
        List<String> nodes = dataNodes();
        nodes.addAll(hosts.coordinators());
        return nodes;
    }

    private int step() {
        int seconds = between(STEP_SECONDS_MIN, STEP_SECONDS_MAX);
        return random.nextBoolean() ? seconds : -seconds;
    }

    private String any(List<String> names) {
        return names.get(random.nextInt(names.size()));
    }

    private int between(int min, int max) {
        return min + random.nextInt(max - min + 1);
    }
}
