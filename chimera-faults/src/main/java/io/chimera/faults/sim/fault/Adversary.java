package io.chimera.faults.sim.fault;

import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.OpenCycle;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.identity.NodeIdentity;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PartId;
import io.chimera.common.wire.ReplicationFrame;
import io.chimera.coordinator.conductor.AccountDecision;
import io.chimera.coordinator.conductor.Conductor;
import io.chimera.faults.sim.oracle.SimOracle;
import io.chimera.faults.sim.world.SimCluster;
import io.chimera.faults.sim.world.SimProcess;
import io.chimera.faults.sim.world.Timetable;
import io.chimera.testkit.channel.MemoryNetwork;
import io.chimera.testkit.channel.MemoryTransport;
import io.chimera.testkit.cluster.MemoryCluster;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Attacks the nodes as a non-member: connects to their ports with sessions of members, replays captured frames, and
 * forges frames without a fingerprint of pipelines. Also makes processors miscount, and decides as the operator about
 * cycles with wrong accounts. Uses a separate random generator, so a seed without an adversary runs unchanged.
 */
public final class Adversary {
    private static final long MS = 1_000_000;
    private static final int CAPTURED_MAX = 64;
    private static final int CAPTURED_BYTES_MAX = 4_096;
    private static final int ACTS_MAX = 40;
    private static final long FAR = Long.MAX_VALUE;

    private final SimCluster cluster;
    private final Timetable timetable;
    private final MemoryCluster zooKeeper;
    private final SimOracle oracle;
    private final SplittableRandom random;
    private final MemoryTransport transport;
    private final boolean isAuthenticated;
    private final Map<String, Integer> done = new TreeMap<>();
    private final List<Captured> captured = new ArrayList<>();
    private final IdentityHashMap<Connection, Long> sessions = new IdentityHashMap<>();
    private boolean isSending;
    private boolean miscounts;

    /** A frame captured on a connection. */
    private record Captured(Connection connection, UnsafeBuffer frame) {}

    public Adversary(
            SimCluster cluster,
            Timetable timetable,
            MemoryNetwork network,
            MemoryCluster zooKeeper,
            SimOracle oracle,
            SplittableRandom random) {
        this.cluster = cluster;
        this.timetable = timetable;
        this.zooKeeper = zooKeeper;
        this.oracle = oracle;
        this.random = random;
        transport = network.transport("intruder");
        isAuthenticated = random.nextBoolean();
        if (isAuthenticated) {
            network.authenticate(Adversary::certificate);
        }
        network.tap(this::capture);
        zooKeeper.miscount(this::miscount);
    }

    private static Optional<PeerCertificate> certificate(String node) {
        String role = node.startsWith("q")
                ? NodeIdentity.QUEUE
                : node.startsWith("p") ? NodeIdentity.PROCESSOR : NodeIdentity.OPERATOR;
        NodeIdentity identity = new NodeIdentity(SimCluster.NAME, role, node);
        return Optional.of(new PeerCertificate("CN=" + node, List.of(identity), List.of(node)));
    }

    /** Plans the attacks within the time of the load. */
    public void plan(long fromNs, long forNs) {
        for (int i = 5 + random.nextInt(ACTS_MAX); i > 0; i--) {
            timetable.in(fromNs + random.nextLong(forNs), this::act);
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            timetable.in(fromNs + random.nextLong(forNs), () -> miscounts = true);
        }
        timetable.in(fromNs, this::operate);
    }

    /** Returns the number of attacks by kind. */
    public Map<String, Integer> done() {
        return done;
    }

    private void act() {
        switch (random.nextInt(7)) {
            case 0, 1 -> intrudeAtProcessor();
            case 2 -> intrudeAtQueue();
            case 3 -> replayOne();
            case 4, 5 -> forgeForeign();
            default -> forgeOne();
        }
    }

    // The adversary's own connections

    private void intrudeAtProcessor() {
        ClusterView view = zooKeeper.truth();
        SimProcess target = any(SimProcess.Role.PROCESSOR);
        List<OpenCycle> open = view.open();
        if (target == null || view.queues().isEmpty()) {
            return;
        }
        QueueMember member = view.queues().get(random.nextInt(view.queues().size()));
        boolean claimsMember = random.nextBoolean();
        long session = claimsMember ? member.session() : random.nextLong();
        List<UnsafeBuffer> frames = new ArrayList<>();
        for (OpenCycle cycle : open) {
            for (int part = 0; part < cycle.cycle().parts(); part++) {
                long number = cycle.cycle().number();
                if (isAuthenticated || !oracle.owners().everOwned(number, part, session)) {
                    note(number, part, session);
                    ConfigurationDigest digest = cycle.assignment().digest();
                    int shard = random.nextInt(cycle.cycle().shards());
                    frames.add(end(new PartId(number, part, shard), digest.fingerprint()));
                }
            }
        }
        if (isAuthenticated || !claimsMember) {
            long ahead = (view.cycles().isEmpty()
                            ? view.low().cycle()
                            : view.cycles().lastKey())
                    + 1;
            note(ahead, 0, session);
            frames.add(end(new PartId(ahead, 0, 0), view.lastDigest().fingerprint()));
        }
        connect(target, session, frames);
    }

    /**
     * Records a forged frame. Without certificates, a frame in the name of a queue node looks like the node's own
     * frame. A frame forged for a part of another owner must have no effect; if the node becomes the owner of the part,
     * the run ends without a verdict.
     */
    private void note(long cycle, int part, long session) {
        if (!isAuthenticated) {
            oracle.owners().forged(cycle, part, session);
        }
    }

    private void intrudeAtQueue() {
        ClusterView view = zooKeeper.truth();
        SimProcess target = any(SimProcess.Role.QUEUE);
        QueueMember member = target == null
                ? null
                : view.queues().stream()
                        .filter(queue -> queue.id().equals(target.id()))
                        .findFirst()
                        .orElse(null);
        if (member == null) {
            return;
        }
        QueueMember other = view.queues().get(random.nextInt(view.queues().size()));
        long session = isAuthenticated ? other.session() : random.nextBoolean() ? member.session() : random.nextLong();
        UnsafeBuffer position = new UnsafeBuffer(new byte[ReplicationFrame.LENGTH]);
        ReplicationFrame.encode(position, 0, ReplicationFrame.POSITION, member.stream(), FAR);
        connect(target, session, List.of(position));
    }

    private static UnsafeBuffer end(PartId id, int fingerprint) {
        UnsafeBuffer frame = new UnsafeBuffer(new byte[PartFrame.END_LENGTH]);
        PartFrame.header(frame, 0, PartFrame.END, id, 0, Integer.MAX_VALUE, 0, 0);
        PartFrame.fingerprint(frame, 0, fingerprint);
        return frame;
    }

    private SimProcess any(SimProcess.Role role) {
        List<SimProcess> all = cluster.processes(role).toList();
        return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
    }

    private void connect(SimProcess target, long session, List<UnsafeBuffer> frames) {
        Hello hello = Hello.of(session, SimCluster.NAME);
        UnsafeBuffer greeting = new UnsafeBuffer(new byte[hello.length()]);
        hello.encode(greeting, 0);
        done.merge("intrusion", 1, Integer::sum);
        transport.connect(new Endpoint(target.id(), 1), new ConnectionHandler() {
            @Override
            public void onOpen(Connection connection) {
                connection.offer(greeting, 0, greeting.capacity());
                frames.forEach(frame -> connection.offer(frame, 0, frame.capacity()));
                timetable.in(random.nextLong(15_000 * MS), connection::close);
            }

            @Override
            public boolean onFrame(Connection from, DirectBuffer buffer, int offset, int length) {
                from.consumed(length);
                return true;
            }

            @Override
            public void onClose(String reason) {
                // refused, or closed by the adversary
            }
        });
    }

    // Connections of members

    private void capture(Connection connection, DirectBuffer frame, int offset, int length) {
        if (isSending || length < 2 || length > CAPTURED_BYTES_MAX) {
            return;
        }
        int type = PartFrame.type(frame, offset);
        Hello hello = type == PartFrame.HELLO ? Hello.decode(frame, offset, length) : null;
        if (hello != null) {
            sessions.put(connection, hello.session());
        }
        boolean isOfPart = length >= PartFrame.ANSWER_LENGTH && type >= PartFrame.DATA && type <= PartFrame.NEED;
        if (isOfPart || (type == ReplicationFrame.POSITION && length == ReplicationFrame.LENGTH)) {
            UnsafeBuffer copy = new UnsafeBuffer(new byte[length]);
            copy.putBytes(0, frame, offset, length);
            if (captured.size() == CAPTURED_MAX) {
                captured.remove(random.nextInt(CAPTURED_MAX));
            }
            captured.add(new Captured(connection, copy));
        }
    }

    /** Sends an empty END for a part that the sender does not own, over the sender's connection. */
    private void forgeForeign() {
        List<Captured> parts = captured.stream()
                .filter(old ->
                        PartFrame.type(old.frame(), 0) <= PartFrame.END && sessions.containsKey(old.connection()))
                .toList();
        List<OpenCycle> open = zooKeeper.truth().open();
        if (parts.isEmpty() || open.isEmpty()) {
            return;
        }
        Captured old = parts.get(random.nextInt(parts.size()));
        OpenCycle cycle = open.get(random.nextInt(open.size()));
        long session = sessions.get(old.connection());
        for (int part = 0; part < cycle.cycle().parts(); part++) {
            if (!oracle.owners().everOwned(cycle.cycle().number(), part, session)) {
                oracle.owners().forged(cycle.cycle().number(), part, session);
                for (int shard = 0; shard < cycle.cycle().shards(); shard++) {
                    int fingerprint = cycle.assignment().digest().fingerprint();
                    send(
                            old.connection(),
                            end(new PartId(cycle.cycle().number(), part, shard), fingerprint),
                            "frame-foreign");
                }
            }
        }
    }

    private void replayOne() {
        if (!captured.isEmpty()) {
            Captured old = captured.get(random.nextInt(captured.size()));
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                send(old.connection(), old.frame(), "frame-replayed");
            }
        }
    }

    /** Sends an empty END without a fingerprint of pipelines, over the owner's connection. */
    private void forgeOne() {
        List<Captured> parts = captured.stream()
                .filter(old -> PartFrame.type(old.frame(), 0) <= PartFrame.END
                        && zooKeeper
                                .truth()
                                .open(PartFrame.cycle(old.frame(), 0))
                                .isPresent())
                .toList();
        if (!parts.isEmpty()) {
            Captured old = parts.get(random.nextInt(parts.size()));
            UnsafeBuffer forged = end(PartFrame.id(old.frame(), 0), 0);
            send(old.connection(), forged, "frame-forged");
        }
    }

    private void send(Connection connection, UnsafeBuffer frame, String kind) {
        isSending = true;
        if (connection.offer(frame, 0, frame.capacity())) {
            done.merge(kind, 1, Integer::sum);
        }
        isSending = false;
    }

    // Accounts

    private ShardCommit miscount(ShardCommit commit) {
        if (!miscounts || commit.accounts().aggregated() == 0 || Cycle.isReplay(commit.cycle())) {
            return commit;
        }
        miscounts = false;
        done.merge("miscounted", 1, Integer::sum);
        oracle.accounts().miscounted(commit.cycle());
        return new ShardCommit(
                commit.cycle(),
                commit.shard(),
                commit.session(),
                new ShardCommit.Accounts(
                        commit.accounts().aggregated() + (random.nextBoolean() ? 1 : -1),
                        commit.accounts().late(),
                        commit.accounts().rejected(),
                        commit.accounts().filtered()),
                commit.rows(),
                commit.checksum());
    }

    /** Decides about unaccounted cycles as the operator, repeatedly, until the decision takes effect. */
    private void operate() {
        oracle.accounts().unaccounted().forEach(cycle -> {
            AccountDecision decision = random.nextBoolean() ? AccountDecision.ACCEPT : AccountDecision.REPLAY;
            oracle.accounts().decided(cycle, decision);
            cluster.processes(SimProcess.Role.COORDINATOR)
                    .forEach(coordinator ->
                            ((Conductor) coordinator.members().get(0).agents().get(0)).decide(cycle, decision));
        });
        timetable.in(2_000 * MS + random.nextLong(8_000 * MS), this::operate);
    }
}
