package io.chimera.archive.distributed;

import io.chimera.archive.distributed.SpanQuestion.Member;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.record.DamagedRecordException;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.archive.ArchiveKind;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.cluster.archive.Archives;
import io.chimera.common.cluster.archive.KnownArchive;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Archive nodes on one thread in virtual time. Nodes join, leave, crash and lose the cluster view; messages are lost,
 * delayed, duplicated and reordered; packets arrive late. Questions run meanwhile: every matching packet must be
 * covered by a query to its node, or the node must be reported as absent.
 */
final class SimArchives {
    private static final long MS = 1_000_000L;
    private static final long SECOND = 1_000 * MS;
    private static final long START_NS = 1_700_000_000L * SECOND;
    private static final long SESSION_NS = 4 * SECOND;

    /**
     * Maximum time until a change is visible: one cycle of the sender, the announcement and the notification by
     * ZooKeeper, while connected.
     */
    private static final long SHOWN_WITHIN_NS = 1_500 * MS;

    private static final int NODES = 4;
    private static final int HOSTS = 40;

    /** About one packet of the slow stream in three minutes. */
    private static final int SLOW_ONCE_IN = 500;

    /** Maximum time until a finished span is published: the group has ended and the span has settled. */
    private static final long TOLD_WITHIN_NS = 2 * SimNode.SPAN_NS + 2 * IndexSender.SETTLE_NS;

    final Random random;
    final VirtualClock clock = new VirtualClock();
    final FakeNetwork network;
    final List<SimNode> nodes = new ArrayList<>();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::atNs).thenComparingLong(Event::order));
    private final TreeMap<Long, ArchiveMember> registered = new TreeMap<>();
    private final TreeSet<String> known = new TreeSet<>();
    private long order;
    private long sessions;
    private final int lateOnceIn;
    private final long faultEveryNs;
    final Mutant mutant;
    private final DistributedCodec codec = new DistributedCodec(PacketKeys.keys());
    boolean hasFaults;
    private boolean isStill;
    private int depth;

    long questions;
    long skipped;
    long asked;
    long excused;

    /** Faulty behaviour of a node. */
    public enum Mutant {
        NONE,

        /** Never announces a new generation. */
        NO_ANNOUNCE,

        /** Omits the revoked spans. */
        VOIDS_CLEARED,

        /** Marks the first groups of a span as complete. */
        LAST_TOO_EARLY,

        /** Forgets the published spans. */
        NOT_TOLD,

        /** Accepts parcels for a lost incarnation. */
        INCARNATION_IGNORED
    }

    private record Event(long atNs, long order, Runnable run) {}

    static final class VirtualClock implements Clock {
        private long nowNs;

        @Override
        public long nanoTime() {
            return nowNs;
        }

        @Override
        public long epochNs() {
            return START_NS + nowNs;
        }
    }

    SimArchives(long seed) {
        this(seed, Mutant.NONE, true);
    }

    /** Creates a cluster without faults, with enough memory on every node. */
    static SimArchives calm(long seed) {
        return new SimArchives(seed, Mutant.NONE, false);
    }

    SimArchives(long seed, Mutant mutant, boolean hasFaults) {
        this.mutant = mutant;
        this.hasFaults = hasFaults;
        network = new FakeNetwork(this, mutant);
        random = new Random(seed);
        lateOnceIn = random.nextBoolean() ? 200 : 5_000;
        faultEveryNs = (random.nextBoolean() ? 20 : 200) * SECOND;
        for (int i = 0; i < NODES; i++) {
            SimNode node = new SimNode(this, "n" + i);
            nodes.add(node);
            start(node);
            life(node);
        }
    }

    /** Runs with faults, then without faults, and finally without late packets. */
    void run(long seconds) {
        after(SECOND, this::faults);
        after(SECOND, this::question);
        until(clock.nowNs + seconds * SECOND);
        hasFaults = false;
        nodes.stream().filter(node -> !node.isRunning()).forEach(this::start);
        nodes.stream().filter(node -> !node.isReachable).forEach(this::sees);
        until(clock.nowNs + 300 * SECOND);
        isStill = true;
        until(clock.nowNs + 60 * SECOND);
        checkHeld(3);
        for (int i = 0; i < 20 && behind() > 0; i++) {
            until(clock.nowNs + 250 * MS); // lets operations in flight finish
        }
    }

    /** Returns the number of finished spans not known to be held by an index node. */
    long behind() {
        return nodes.stream().mapToLong(node -> node.sender.behind()).sum();
    }

    /** Runs without new faults. */
    void runCalmly(long seconds) {
        after(SECOND, this::question);
        until(clock.nowNs + seconds * SECOND);
    }

    private void until(long endNs) {
        while (!events.isEmpty() && events.peek().atNs() <= endNs) {
            step();
        }
        clock.nowNs = Math.max(clock.nowNs, endNs);
    }

    void step() {
        Event event = events.poll();
        clock.nowNs = Math.max(clock.nowNs, event.atNs());
        event.run().run();
    }

    void after(long ns, Runnable run) {
        events.add(new Event(clock.nowNs + ns, order++, run));
    }

    long within(long ns) {
        return (long) (random.nextDouble() * ns);
    }

    // life of a node

    private void start(SimNode node) {
        node.start(++sessions * 0x9E37_79B9_7F4A_7C15L, hasFaults && random.nextInt(4) == 0);
        show(node);
    }

    private void life(SimNode node) {
        if (node.isRunning()) {
            node.work();
            if (random.nextInt(1_000) == 0) {
                node.idleUntilNs = clock.nowNs + within(120 * SECOND);
            }
            if (clock.nowNs >= node.idleUntilNs && random.nextInt(3) == 0) {
                archive(node);
            }
        }
        after(100 * MS + within(20 * MS), () -> life(node));
    }

    private void archive(SimNode node) {
        long baseNs = clock.epochNs();
        int late = isStill ? Integer.MAX_VALUE : random.nextInt(hasFaults ? lateOnceIn : 100_000);
        boolean isWide = late == 3 && hasFaults && random.nextInt(20) == 0;
        String stream = random.nextInt(late <= 3 ? 2 : SLOW_ONCE_IN) == 0 ? SimNode.SLOW : SimNode.BUSY;
        if (late == 0) {
            baseNs -= within(3_600 * SECOND);
        } else if (late == 1) {
            baseNs -= within(30 * SECOND);
        } else if (late == 2) {
            baseNs += within(200 * SECOND);
        }
        long[] timesNs = new long[1 + random.nextInt(3)];
        for (int i = 0; i < timesNs.length; i++) {
            timesNs[i] = baseNs - within(isWide ? 2_000 * SECOND : late == 3 ? 200 * SECOND : 300 * MS);
        }
        node.archive(stream, host(node), timesNs);
        if (late == 0) { // another packet of the same time, during the revocation
            long session = node.session;
            after(within(3 * SECOND), () -> {
                if (node.isRunning() && node.session == session) {
                    node.archive(stream, host(node), timesNs);
                }
            });
        }
    }

    private int host(SimNode node) {
        return (random.nextInt(3) == 0 ? 0 : nodes.indexOf(node) * 1000) + random.nextInt(HOSTS);
    }

    private void faults() {
        if (hasFaults) {
            SimNode node = nodes.get(random.nextInt(nodes.size()));
            switch (random.nextInt(4)) {
                case 0 -> killed(node);
                case 1 -> unseeing(node);
                default -> {
                    // no fault
                }
            }
            after(within(faultEveryNs), this::faults);
        }
    }

    /**
     * Kills a node. The announcement disappears when the session expires; only then can the next process announce
     * itself.
     */
    private void killed(SimNode node) {
        if (!node.isRunning()) {
            return;
        }
        long session = node.session;
        node.kill();
        node.killedNs = clock.nowNs;
        after(SESSION_NS, () -> expire(session));
        after(within(random.nextBoolean() ? 3 * SECOND : 60 * SECOND), () -> {
            if (!node.isRunning()) {
                start(node);
            }
        });
    }

    /** Disconnects a live node from ZooKeeper for a while, sometimes longer than its session. */
    private void unseeing(SimNode node) {
        long session = node.session;
        node.turnedNs = node.isReachable ? clock.nowNs : node.turnedNs;
        node.isReachable = false;
        node.view = node.view.connected(false);
        after(SESSION_NS, () -> {
            if (!node.isReachable && node.session == session) {
                expire(session);
            }
        });
        after(within(12 * SECOND), () -> sees(node));
    }

    private void sees(SimNode node) {
        node.turnedNs = clock.nowNs;
        node.isReachable = true;
        show(node);
        if (node.isRunning()) {
            announced(node, node.sender.self());
        }
    }

    // cluster view of the nodes

    void announced(SimNode node, ArchiveMember member) {
        if (mutant == Mutant.NO_ANNOUNCE && member.generation() > 0) {
            return;
        }
        after(within(50 * MS), () -> stand(node, member));
    }

    private void stand(SimNode node, ArchiveMember member) {
        boolean isNewest = node.isRunning() && node.session == member.session();
        if (!isNewest || !node.isReachable || node.sender.self().generation() > member.generation()) {
            return; // a later announcement follows, now or after the reconnect
        }
        boolean isHeld = registered.values().stream()
                .anyMatch(other -> other.id().equals(node.id) && other.session() != member.session());
        if (isHeld) {
            after(250 * MS, () -> stand(node, member));
            return;
        }
        registered.put(member.session(), member);
        known.add(member.id());
        changed();
    }

    private void expire(long session) {
        registered.remove(session);
        changed();
    }

    private void changed() {
        nodes.forEach(node -> after(within(300 * MS), () -> show(node)));
    }

    private void show(SimNode node) {
        if (node.isReachable) {
            node.view = view();
        }
    }

    private ClusterView view() {
        List<ArchiveMember> live = registered.values().stream()
                .sorted(Comparator.comparing(ArchiveMember::id))
                .toList();
        return ClusterView.of(
                ++order,
                new Archives(
                        live,
                        known.stream()
                                .map(id -> new KnownArchive(id, Set.of(ArchiveKind.PACKETS)))
                                .toList()));
    }

    // questions

    private void question() {
        SimNode asking = nodes.get(random.nextInt(nodes.size()));
        if (asking.isRunning() && depth == 0) {
            depth++;
            ask(asking);
            depth--;
        }
        after(within(SECOND), this::question);
    }

    private void ask(SimNode asking) {
        long nowNs = clock.epochNs();
        SimNode.Item target = random.nextInt(4) == 0 ? null : target();
        int host = target == null ? random.nextInt(nodes.size()) * 1000 + random.nextInt(HOSTS) : target.host;
        long beforeNs = target != null
                ? target.timeNs + within(30 * SECOND)
                : random.nextInt(4) == 0 ? Long.MAX_VALUE : nowNs - within(600 * SECOND);
        long lengthNs = within(random.nextBoolean() ? 30 * SECOND : 1_200 * SECOND);
        long afterNs = target != null ? target.timeNs - lengthNs / 10 : Math.min(beforeNs, nowNs) - lengthNs;
        String stream =
                random.nextInt(3) > 0 ? "" : target == null || random.nextInt(4) == 0 ? SimNode.BUSY : target.stream;
        Question question = new Question(
                "host 10.0." + (host >> 8) + "." + (host & 255), stream, afterNs, beforeNs, Long.MAX_VALUE);
        ClusterView view = asking.view;
        List<List<SimNode.Item>> wanted = new ArrayList<>();
        for (SimNode node : nodes) {
            wanted.add(node.items.stream()
                    .filter(item -> stream.isEmpty() || stream.equals(item.stream))
                    .filter(item -> item.host == host && item.timeNs >= afterNs && item.timeNs <= beforeNs)
                    .filter(item -> isDue(item, node, asking, view))
                    .toList());
        }
        NodeChoice choice = new NodeSearch(ArchiveKind.PACKETS, network).choose(question, view, nowNs);
        questions++;
        if (beforeNs < nowNs - TOLD_WITHIN_NS) {
            skipped += choice.skipped();
            asked += choice.targets().size();
        }
        for (int i = 0; i < nodes.size(); i++) {
            for (SimNode.Item item : wanted.get(i)) {
                check(nodes.get(i), item, choice, question);
            }
        }
    }

    /** Returns an existing packet, preferably a recent or late packet. */
    private SimNode.Item target() {
        SimNode node = nodes.get(random.nextInt(nodes.size()));
        int size = node.items.size();
        if (size == 0) {
            return null;
        }
        if (random.nextBoolean()) {
            for (int i = size - 1; i >= Math.max(0, size - 200); i--) {
                if (node.items.get(i).isOld) {
                    return node.items.get(i);
                }
            }
        }
        return node.items.get(random.nextInt(size));
    }

    private boolean isDue(SimNode.Item item, SimNode node, SimNode asking, ClusterView view) {
        if (!known.contains(node.id)
                || view.archives().known().stream().map(KnownArchive::id).noneMatch(node.id::equals)) {
            return false; // not visible to other nodes yet
        }
        ArchiveMember member = view.archives().live().stream()
                .filter(live -> live.id().equals(node.id))
                .findFirst()
                .orElse(null);
        if (member == null) {
            return true; // the report must name the node
        }
        boolean isDue = member.session() == item.session
                ? member.generation() >= item.generation
                : !item.isOld || isEarlier(item.session, member.session());
        if (!isDue && !isExcused(item, node, asking, member.session() == item.session)) {
            throw new AssertionError("At " + clock.nowNs / MS + " ms: what node " + node.id + " archived "
                    + (clock.epochNs() - item.archivedNs) / MS + " ms ago, of " + item.timeNs + ", in session "
                    + Long.toHexString(item.session) + " and generation " + item.generation
                    + " is not to be found yet by who sees " + member);
        }
        excused += isDue ? 0 : 1;
        return isDue;
    }

    /**
     * Returns true while a revocation may be invisible: until ZooKeeper shows the new generation, or ends the session.
     */
    private boolean isExcused(SimNode.Item item, SimNode node, SimNode asking, boolean isOfSession) {
        if (!asking.isReachable) {
            return true; // queries all nodes
        }
        long sinceNs = Math.max(item.archivedNs - START_NS, asking.turnedNs);
        boolean isOfDead = !node.isRunning() || node.session != item.session; // a dead process cannot revoke
        if (!isOfSession || isOfDead) {
            return clock.nowNs - Math.max(sinceNs, node.killedNs) <= SESSION_NS + SHOWN_WITHIN_NS;
        }
        return node.isReachable
                ? clock.nowNs - Math.max(sinceNs, node.turnedNs) <= SHOWN_WITHIN_NS
                : clock.nowNs - node.turnedNs <= SESSION_NS + SHOWN_WITHIN_NS;
    }

    private static boolean isEarlier(long session, long than) {
        long inverse = 0xF1DE_83E1_9937_733DL; // of the factor in session numbers
        return session * inverse < than * inverse;
    }

    private void check(SimNode node, SimNode.Item item, NodeChoice choice, Question question) {
        boolean isAsked = choice.targets().stream()
                .anyMatch(target -> target.member().id().equals(node.id)
                        && target.afterNs() <= item.timeNs
                        && target.beforeNs() >= item.timeNs);
        boolean isNamed =
                choice.absent().stream().anyMatch(absent -> absent.id().equals(node.id));
        if (!isAsked && !isNamed) {
            throw new AssertionError("At " + clock.nowNs / MS + " ms: '" + question.text() + "' misses a packet of "
                    + item.timeNs + " on " + node.id + ", archived " + (clock.epochNs() - item.archivedNs) / MS
                    + " ms ago in session " + Long.toHexString(item.session) + ", generation " + item.generation
                    + ". " + choice);
        }
    }

    /**
     * Checks that the owners hold all finished spans after a while without faults; otherwise no node would ever be
     * skipped.
     */
    void checkHeld(int spans) {
        List<ArchiveMember> members =
                nodes.stream().map(node -> node.sender.self()).toList();
        SpanOwners owners = new SpanOwners(members);
        long last = Math.floorDiv(clock.epochNs() - TOLD_WITHIN_NS, SimNode.SPAN_NS) - 1;
        for (long span = last - spans + 1; span <= last; span++) {
            ArchiveMember owner = owners.of(span);
            SimNode node = nodes.get(members.indexOf(owner));
            for (ArchiveMember member : members) {
                if (!node.isSmall && !isHeld(node, span, member)) {
                    throw new AssertionError("At " + clock.nowNs / MS + " ms: span " + span + " of node " + member.id()
                            + " is not held by " + owner.id() + ".");
                }
            }
        }
    }

    private boolean isHeld(SimNode node, long span, ArchiveMember member) {
        SpanQuestion question = new SpanQuestion(
                SimNode.SPAN_NS,
                Probe.all(),
                "",
                Long.MIN_VALUE,
                Long.MAX_VALUE,
                List.of(span),
                List.of(new Member(member.session(), member.generation())));
        try {
            byte[] answer = node.indexNode.answer(codec.encode(question));
            return codec.answer(answer).get(0).unknown().isEmpty();
        } catch (DamagedRecordException e) {
            throw new AssertionError(e);
        }
    }
}
