package io.chimera.archive.distributed;

import io.chimera.archive.distributed.Parcel.Reply;
import io.chimera.archive.index.GroupSummary;
import io.chimera.archive.index.key.IndexKey;
import io.chimera.archive.index.record.DamagedRecordException;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.agrona.concurrent.Agent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes the index of this node: sends every finished span, with the groups that may hold data of the span, to the
 * index node of the span (Hyperion 2007, 5.3), and announces spans without data. Spans lost by an index node, or
 * reassigned to another index node, are sent again from this node's own index; no other rebuild exists. The sender
 * compares actual and desired state in every cycle and sends the difference; it depends on no event. Own thread.
 */
public final class IndexSender implements Agent {
    /** Delay after the end of a span, and quiet time without new groups, before the span is sent. */
    static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(10);

    private static final Logger LOG = LoggerFactory.getLogger(IndexSender.class);
    private static final long LOOK_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long STATE_EVERY_NS = TimeUnit.SECONDS.toNanos(10);

    /**
     * Maximum bytes of groups in a parcel. A larger group, up to about 240 KiB for busy traffic, gets a parcel of its
     * own. Small parcels are cheap to retransmit.
     */
    private static final int PARCEL_BYTES_MAX = 128 << 10;

    /** Maximum spans queued per index node in one cycle; the rest follows in the next cycle. */
    private static final int DUE_MAX = 64;

    private final Spans spans;
    private final Supplier<ClusterView> view;
    private final Consumer<ArchiveMember> announcer;
    private final Peers peers;
    private final IndexNode local;
    private final Clock clock;
    private final Counters<ArchiveCounter> counters;
    private final DistributedCodec codec;
    private final List<StreamLook> streams = new ArrayList<>();
    private final SpanCatalog catalog = new SpanCatalog();
    private final PartWriter parts;
    private final Map<Long, PeerState> states = new HashMap<>();

    /** Replies from other threads, at most one per peer. */
    private final Queue<Runnable> replies = new ConcurrentLinkedQueue<>();

    private volatile ArchiveMember self;
    private List<ArchiveMember> members = List.of();
    private SpanOwners owners = new SpanOwners(List.of());
    private List<SpanRange> empties = List.of();
    private long lookAtNs;
    private volatile long behind;

    /**
     * Creates the sender and announces this node.
     *
     * @param self this node; announced at once
     * @param keys keys of the indexes
     * @param shared streams with a shared index
     * @param view source of the newest cluster view
     * @param announcer publishes changes of this node's membership data
     * @param local index node in this process
     */
    public IndexSender(
            ArchiveMember self,
            List<IndexKey> keys,
            List<IndexedStream> shared,
            Supplier<ClusterView> view,
            Consumer<ArchiveMember> announcer,
            Peers peers,
            IndexNode local,
            Clock clock,
            Counters<ArchiveCounter> counters) {
        this(self, keys, shared, view, announcer, peers, local, clock, counters, PARCEL_BYTES_MAX);
    }

    IndexSender(
            ArchiveMember self,
            List<IndexKey> keys,
            List<IndexedStream> shared,
            Supplier<ClusterView> view,
            Consumer<ArchiveMember> announcer,
            Peers peers,
            IndexNode local,
            Clock clock,
            Counters<ArchiveCounter> counters,
            int parcelBytes) {
        this.self = self;
        this.view = view;
        this.announcer = announcer;
        this.peers = peers;
        this.local = local;
        this.clock = clock;
        this.counters = counters;
        spans = new Spans(self.index().spanNs());
        codec = new DistributedCodec(keys);
        shared.forEach(stream -> streams.add(new StreamLook(stream, spans)));
        parts = new PartWriter(streams, catalog, GroupSummary.BITS_PER_KEY_DEFAULT, parcelBytes);
        lookAtNs = clock.nanoTime();
        announcer.accept(self);
    }

    @Override
    public String roleName() {
        return "index-sender";
    }

    @Override
    public int doWork() {
        int work = 0;
        for (Runnable reply = replies.poll(); reply != null; reply = replies.poll()) {
            reply.run();
            work++;
        }
        long nowNs = clock.nanoTime();
        if (nowNs - lookAtNs >= 0) {
            lookAtNs = nowNs + LOOK_EVERY_NS;
            look(nowNs);
            work++;
        }
        for (PeerState peer : states.values()) {
            work += peer.isReady(nowNs) ? send(peer, nowNs) : 0;
        }
        return work;
    }

    private void look(long nowNs) {
        long settled = spans.of(clock.epochNs() - SETTLE_NS) - 1;
        catalog.settled(settled);
        streams.forEach(stream -> stream.look(catalog, nowNs));
        if (catalog.isLate()) {
            takeBack();
        }
        follow(view.get(), nowNs);
        List<SpanRange> open = streams.stream()
                .map(StreamLook::open)
                .filter(Objects::nonNull)
                .filter(range -> range.first() <= settled)
                .toList();
        boolean isBlind = streams.stream().anyMatch(StreamLook::isBlind);
        if (isBlind || !catalog.isQuiet(nowNs, SETTLE_NS)) {
            empties = List.of();
        } else {
            empties = catalog.empties(settled);
        }
        plan(isBlind ? Long.MIN_VALUE : settled, open, nowNs);
    }

    /** Revokes earlier statements: the new generation, visible to all nodes, invalidates them. */
    private void takeBack() {
        SpanCatalog.Late late = catalog.takeLate();
        self = self.inGeneration(self.generation() + 1);
        announcer.accept(self);
        states.values().forEach(peer -> peer.takeBack(late, self.generation()));
        counters.increment(ArchiveCounter.SHARED_TAKEN_BACK);
    }

    private void follow(ClusterView now, long nowNs) {
        if (!now.connected()) {
            return; // the live members are unknown; keep sending to the last known members
        }
        List<ArchiveMember> live =
                now.archives().live().stream().filter(self::sharesWith).toList();
        local.forget(session -> now.archives().member(session).isPresent());
        Map<Long, ArchiveMember> bySession = new HashMap<>();
        live.forEach(member -> bySession.put(member.session(), member));
        states.keySet().retainAll(bySession.keySet());
        live.forEach(member -> states.computeIfAbsent(member.session(), session -> new PeerState(member, nowNs)));
        List<ArchiveMember> same = live.stream()
                .map(member -> member.inGeneration(0)) // owners do not depend on the generation
                .toList();
        if (!same.equals(members)) {
            members = same;
            owners = new SpanOwners(same);
            catalog.all().forEach(own -> own.ownedBy(null));
        }
    }

    /** Collects the spans missing at each index node, newest first: queries for new data are most frequent. */
    private void plan(long settled, List<SpanRange> open, long nowNs) {
        states.values().forEach(peer -> peer.due().clear());
        long lacking = 0;
        for (OwnSpan own : catalog.newestFirst(settled)) {
            if (own.isDark()
                    || nowNs - own.touchedNs() < SETTLE_NS
                    || catalog.isDark(own.span())
                    || open.stream().anyMatch(range -> range.holds(own.span()))) {
                continue;
            }
            if (own.owner() == null) {
                own.ownedBy(owners.of(own.span()));
            }
            PeerState peer = own.owner() == null ? null : states.get(own.owner().session());
            if (peer != null
                    && own.span() >= peer.floor()
                    && (own.holder() == OwnSpan.NOBODY || own.holder() != peer.incarnation())) {
                lacking++;
                if (peer.due().size() < DUE_MAX) {
                    peer.due().add(own);
                }
            }
        }
        behind = lacking;
    }

    private int send(PeerState peer, long nowNs) {
        boolean isKnown = peer.incarnation() != 0;
        if (isKnown) {
            parts.fill(peer);
        }
        boolean hasParts = isKnown && !parts.parts().isEmpty();
        boolean isStated = peer.isStated(self.generation(), empties)
                || !peer.isStatementDue(self.generation(), nowNs, STATE_EVERY_NS);
        if (isKnown && !hasParts && isStated) {
            return 0;
        }
        Parcel parcel = new Parcel(
                self.session(),
                spans.lengthNs(),
                peer.incarnation(),
                peer.next(),
                self.generation(),
                empties,
                List.copyOf(peer.voids()),
                hasParts ? parts.parts() : List.of());
        catalog.toldEmpty(empties);
        List<OwnSpan> wholes = hasParts ? parts.wholes() : List.of();
        PartCursor cursor = hasParts ? parts.cursor() : null;
        counters.add(ArchiveCounter.SHARED_GROUPS_SENT, hasParts ? parts.groups() : 0);
        byte[] bytes = codec.encode(parcel);
        carry(peer.member(), bytes, reply -> replies.add(() -> answered(peer, parcel, reply, wholes, cursor)));
        return 1;
    }

    private void carry(ArchiveMember to, byte[] bytes, Consumer<byte[]> reply) {
        if (to.session() != self.session()) {
            counters.add(ArchiveCounter.SHARED_SENT_BYTES, bytes.length);
            peers.bring(to, bytes, reply);
            return;
        }
        try {
            reply.accept(local.take(bytes));
        } catch (DamagedRecordException e) {
            throw new IllegalStateException("This node cannot decode its own parcel.", e);
        }
    }

    private void answered(PeerState peer, Parcel parcel, byte[] bytes, List<OwnSpan> wholes, PartCursor cursor) {
        if (!peer.awaits(parcel.sequence())) {
            return;
        }
        long nowNs = clock.nanoTime();
        Reply reply = bytes == null ? null : read(peer, bytes);
        if (reply == null || reply.sequence() != parcel.sequence()) {
            counters.increment(ArchiveCounter.SHARED_PARCELS_FAILED);
            peer.failed(nowNs);
            return;
        }
        if (peer.answered(parcel, reply, nowNs)) {
            wholes.forEach(own -> own.heldBy(peer.incarnation()));
            counters.add(ArchiveCounter.SHARED_SPANS_SENT, wholes.size());
            peer.due().removeAll(wholes);
            peer.cursor(cursor);
        }
    }

    private Reply read(PeerState peer, byte[] bytes) {
        try {
            return codec.reply(bytes);
        } catch (DamagedRecordException e) {
            LOG.warn(
                    "Invalid reply from archive node {}: {}. Both nodes must run the same release.",
                    peer.member().id(),
                    e.getMessage());
            return null;
        }
    }

    /** Returns this node as last announced. Any thread. */
    public ArchiveMember self() {
        return self;
    }

    /** Returns the number of finished spans not known to be held by their index node. Any thread. */
    public long behind() {
        return behind;
    }

    /** Returns true if all of a span may have been published; new groups for the span are then late. */
    boolean isTold(long span) {
        return catalog.isTold(span);
    }

    @Override
    public void onClose() {
        streams.forEach(StreamLook::close);
    }
}
