package io.chimera.archive.distributed;

import io.chimera.archive.index.DamagedRecordException;
import io.chimera.archive.query.FoundPackets;
import io.chimera.archive.query.FoundPoints;
import io.chimera.archive.query.PacketKeys;
import io.chimera.archive.query.Question;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.ArchiveKind;
import io.chimera.common.cluster.ArchiveMember;
import io.chimera.common.cluster.Archives;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.KnownArchive;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.Replays;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * Archive nodes on one thread in virtual time: nodes come, go and are killed, lose the sight of the cluster, messages are lost, late,
 * doubled and overtake each other, packets come late. Questions meanwhile: every packet that matches must lie in what is asked of its node,
 * or its node be named as away.
 */
final class SimCluster {
    private static final long MS = 1_000_000L;
    private static final long SECOND = 1_000 * MS;
    private static final long START_NS = 1_700_000_000L * SECOND;
    private static final long ASK_TIMEOUT_NS = 5 * SECOND;
    private static final long SESSION_NS = 4 * SECOND;

    /** A look, an announcement and what ZooKeeper takes to show it; while it is in sight. */
    private static final long SHOWN_WITHIN_NS = 1_500 * MS;

    private static final int NODES = 4;
    private static final int HOSTS = 40;

    final Random random;
    final VirtualClock clock = new VirtualClock();
    final FakeNetwork network = new FakeNetwork();
    final List<SimNode> nodes = new ArrayList<>();
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::atNs).thenComparingLong(Event::order));
    private final TreeMap<Long, ArchiveMember> registered = new TreeMap<>();
    private final TreeSet<String> known = new TreeSet<>();
    private long order;
    private long sessions;
    private final int lateOnceIn;
    private final long faultEveryNs;
    private final Mutant mutant;
    private final DistributedCodec codec = new DistributedCodec(PacketKeys.keys());
    private boolean hasFaults = true;
    private int depth;

    long questions;
    long skipped;
    long asked;
    long excused;

    /** What a node does wrong. */
    enum Mutant {
        NONE,
        NO_ANNOUNCE,
        VOIDS_CLEARED
    }

    private record Event(long atNs, long order, Runnable run) {}

    /** Virtual time. */
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

    SimCluster(long seed) {
        this(seed, Mutant.NONE);
    }

    SimCluster(long seed, Mutant mutant) {
        this.mutant = mutant;
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

    /** Runs for so long with faults, then without, and returns what was left out in the end. */
    void run(long seconds) {
        after(SECOND, this::faults);
        after(SECOND, this::question);
        until(clock.nowNs + seconds * SECOND);
        hasFaults = false;
        nodes.stream().filter(node -> !node.isRunning()).forEach(this::start);
        nodes.stream().filter(node -> !node.isReachable).forEach(this::sees);
        until(clock.nowNs + 300 * SECOND);
    }

    /** Runs for so long without faults. */
    void runCalmly(long seconds) {
        hasFaults = false;
        after(SECOND, this::question);
        until(clock.nowNs + seconds * SECOND);
    }

    private void until(long endNs) {
        while (!events.isEmpty() && events.peek().atNs() <= endNs) {
            step();
        }
        clock.nowNs = Math.max(clock.nowNs, endNs);
    }

    private void step() {
        Event event = events.poll();
        clock.nowNs = Math.max(clock.nowNs, event.atNs());
        event.run().run();
    }

    private void after(long ns, Runnable run) {
        events.add(new Event(clock.nowNs + ns, order++, run));
    }

    private long within(long ns) {
        return (long) (random.nextDouble() * ns);
    }

    // life of a node

    private void start(SimNode node) {
        long bytes = random.nextInt(4) == 0 ? 60_000 : 100 << 20;
        node.start(++sessions * 0x9E37_79B9_7F4A_7C15L, bytes);
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
        int late = random.nextInt(hasFaults ? lateOnceIn : 100_000);
        boolean isWide = late == 3 && random.nextInt(20) == 0;
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
        node.archive(host(node), timesNs);
        if (late == 0) { // another one of the same time, while what was told of it is being taken back
            long session = node.session;
            after(within(3 * SECOND), () -> {
                if (node.isRunning() && node.session == session) {
                    node.archive(host(node), timesNs);
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
                    // a quiet while
                }
            }
            after(within(faultEveryNs), this::faults);
        }
    }

    /** Its announcement goes when its session expires, that of the next process stands only then. */
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

    /** It lives, and loses ZooKeeper for a while; longer than its session, sometimes. */
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

    // the cluster as nodes see it

    void announced(SimNode node, ArchiveMember member) {
        if (mutant == Mutant.NO_ANNOUNCE && member.generation() > 0) {
            return;
        }
        after(within(50 * MS), () -> stand(node, member));
    }

    private void stand(SimNode node, ArchiveMember member) {
        boolean isNewest = node.isRunning() && node.session == member.session();
        if (!isNewest || !node.isReachable || node.sender.self().generation() > member.generation()) {
            return; // what comes after it is on its way, or will be when it sees the cluster again
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
        return new ClusterView(
                ++order,
                true,
                List.of(),
                List.of(),
                0,
                new TreeMap<>(),
                LowMark.NONE,
                Replays.NONE,
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
        Question question =
                new Question("host 10.0." + (host >> 8) + "." + (host & 255), "", afterNs, beforeNs, Long.MAX_VALUE);
        ClusterView view = asking.view;
        List<List<SimNode.Item>> wanted = new ArrayList<>();
        for (SimNode node : nodes) {
            wanted.add(node.items.stream()
                    .filter(item -> item.host == host && item.timeNs >= afterNs && item.timeNs <= beforeNs)
                    .filter(item -> isDue(item, node, asking, view))
                    .toList());
        }
        NodeChoice choice = new NodeSearch(ArchiveKind.PACKETS, network).choose(question, view, nowNs);
        questions++;
        if (beforeNs < nowNs - 2 * SimNode.SPAN_NS) {
            skipped += choice.skipped();
            asked += choice.targets().size();
        }
        for (int i = 0; i < nodes.size(); i++) {
            for (SimNode.Item item : wanted.get(i)) {
                check(nodes.get(i), item, choice, question);
            }
        }
    }

    /** A packet that is there, rather one that has just come, and came late. */
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
            return false; // nobody knows of it yet
        }
        ArchiveMember member = view.archives().live().stream()
                .filter(live -> live.id().equals(node.id))
                .findFirst()
                .orElse(null);
        if (member == null) {
            return true; // it must be named
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

    /** What was told is not known to be taken back for so long only as ZooKeeper takes to show it, or to end a session. */
    private boolean isExcused(SimNode.Item item, SimNode node, SimNode asking, boolean isOfSession) {
        if (!asking.isReachable) {
            return true; // it asks everybody
        }
        long sinceNs = Math.max(item.archivedNs - START_NS, asking.turnedNs);
        if (!isOfSession) {
            return clock.nowNs - Math.max(sinceNs, node.killedNs) <= SESSION_NS + SHOWN_WITHIN_NS;
        }
        return node.isReachable
                ? clock.nowNs - Math.max(sinceNs, node.turnedNs) <= SHOWN_WITHIN_NS
                : clock.nowNs - node.turnedNs <= SESSION_NS + SHOWN_WITHIN_NS;
    }

    private static boolean isEarlier(long session, long than) {
        long inverse = 0xF1DE_83E1_9937_733DL; // of the factor that makes sessions
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

    // the network

    /** Loses, delays, doubles; no order. */
    final class FakeNetwork implements Peers {
        private long delay() {
            return hasFaults && random.nextInt(50) == 0 ? within(20 * SECOND) : within(20 * MS);
        }

        private boolean isLost() {
            return hasFaults && random.nextInt(30) == 0;
        }

        private SimNode find(ArchiveMember member) {
            return nodes.stream()
                    .filter(node -> node.id.equals(member.http()))
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        public void bring(ArchiveMember to, byte[] parcel, Consumer<byte[]> reply) {
            boolean[] isOver = new boolean[1];
            Consumer<byte[]> once = answer -> {
                if (!isOver[0]) {
                    isOver[0] = true;
                    reply.accept(answer);
                }
            };
            after(ASK_TIMEOUT_NS, () -> once.accept(null));
            for (int copies = hasFaults && random.nextInt(20) == 0 ? 2 : 1; copies > 0; copies--) {
                deliver(to, node -> node.take(mutated(parcel)), once);
            }
        }

        private byte[] mutated(byte[] bytes) throws DamagedRecordException {
            if (mutant != Mutant.VOIDS_CLEARED) {
                return bytes;
            }
            Parcel parcel = codec.parcel(bytes);
            return codec.encode(new Parcel(
                    parcel.session(),
                    parcel.spanNs(),
                    parcel.incarnation(),
                    parcel.sequence(),
                    parcel.generation(),
                    parcel.empties(),
                    List.of(),
                    parcel.parts()));
        }

        private void deliver(ArchiveMember to, Served served, Consumer<byte[]> reply) {
            if (isLost()) {
                return;
            }
            after(delay(), () -> {
                SimNode node = find(to);
                if (!node.isRunning()) {
                    after(delay(), () -> reply.accept(null));
                    return;
                }
                byte[] answer = serve(node, served);
                if (!isLost()) {
                    after(delay(), () -> reply.accept(answer));
                }
            });
        }

        private byte[] serve(SimNode node, Served served) {
            try {
                return served.serve(node.indexNode);
            } catch (DamagedRecordException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public List<byte[]> ask(List<ArchiveMember> to, List<byte[]> asks) {
            byte[][] answers = new byte[to.size()][];
            boolean[] isOver = new boolean[to.size()];
            for (int i = 0; i < to.size(); i++) {
                int position = i;
                deliver(to.get(i), node -> node.answer(asks.get(position)), answer -> {
                    answers[position] = isOver[position] ? answers[position] : answer;
                    isOver[position] = true;
                });
            }
            long endNs = clock.nowNs + ASK_TIMEOUT_NS;
            while (clock.nowNs < endNs && !allOf(isOver)) {
                step();
            }
            java.util.Arrays.fill(isOver, true);
            List<byte[]> result = new ArrayList<>();
            for (byte[] answer : answers) {
                result.add(answer);
            }
            return result;
        }

        private boolean allOf(boolean[] flags) {
            for (boolean flag : flags) {
                if (!flag) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public FoundPackets packets(ArchiveMember from, Question question) {
            throw new UnsupportedOperationException("Only who is asked is looked at here.");
        }

        @Override
        public FoundPoints points(ArchiveMember from, Question question) {
            throw new UnsupportedOperationException("Only who is asked is looked at here.");
        }

        @Override
        public void awaitRoom(int refusals) {
            throw new UnsupportedOperationException("Only who is asked is looked at here.");
        }
    }

    /** What an index node does with a message. */
    private interface Served {
        byte[] serve(IndexNode node) throws DamagedRecordException;
    }
}
