package io.chimera.queue.replication;

import io.chimera.common.agent.Clock;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.Transport;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.wire.Hello;
import io.chimera.queue.journal.GapListener;
import io.chimera.queue.journal.Journal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies what queue nodes accept from each to each. This node subscribes at every live peer to the stream that the peer
 * stamps, and at some peer to what its own journal lacks of the streams of dead ones; in turn it serves its peers from its
 * journal. What comes in goes into the ring, and through the journaler into the journal, like everything else.
 *
 * <p>It compares what the newest view says with what is there, and so needs no event to be seen: a peer that comes, goes or
 * comes back, a broken connection and a missing batch all end in a subscription from the journal's position on.
 */
public final class Replicator implements Agent, GapListener {
    private static final Logger LOG = LoggerFactory.getLogger(Replicator.class);

    /** Connections of peers between two rounds, and in all. */
    private static final int PUBLISHERS_MAX = 64;

    /** Streams asked for at one peer at one time; the others follow when these have caught up. */
    private static final int STREAMS_MAX = 64;

    /** Batches sent in one round: 16 x 256 KiB are 4 MiB, about 2 ms. */
    private static final int BATCHES_PER_ROUND = 16;

    /** Positions here change without the view; so often it is looked at anew whether a dead stream is still wanted. */
    private static final long RECONCILE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Gaps that the journaler can report between two rounds; one that finds no room is seen by standing still. */
    private static final int GAPS_MAX = 256;

    private final Hello self;
    private final long ownStream;
    private final Transport transport;
    private final Cluster cluster;
    private final Journal journal;
    private final BatchRing ring;
    private final Followers followers;
    private final Clock clock;
    private final Counters<QueueCounter> counters;
    private final ManyToOneConcurrentArrayQueue<Link> accepted = new ManyToOneConcurrentArrayQueue<>(PUBLISHERS_MAX);
    private final ManyToOneConcurrentArrayQueue<Long> gaps = new ManyToOneConcurrentArrayQueue<>(GAPS_MAX);

    /** By session of the peer. */
    private final Map<Long, Subscriber> subscribers = new HashMap<>();

    private final List<Publisher> publishers = new ArrayList<>();
    private long reconciledRevision = -1;
    private long reconciledNs;
    private int turn;

    /**
     * A replicator that is one agent of a thread; it may share the journaler's.
     *
     * @param self how this node introduces itself
     * @param ownStream the stream that this start of the node stamps
     * @param transport connects with the peers; not closed here
     * @param cluster shows who is there
     * @param journal is read
     * @param ring takes what comes from the peers
     * @param followers is told how far the peers are in the own stream
     */
    public Replicator(
            Hello self,
            long ownStream,
            Transport transport,
            Cluster cluster,
            Journal journal,
            BatchRing ring,
            Followers followers,
            Clock clock,
            Counters<QueueCounter> counters) {
        this.self = self;
        this.ownStream = ownStream;
        this.transport = transport;
        this.cluster = cluster;
        this.journal = journal;
        this.ring = ring;
        this.followers = followers;
        this.clock = clock;
        this.counters = counters;
    }

    /**
     * Lets peers connect.
     *
     * @param local where to listen
     * @return the address, to be announced
     */
    public Endpoint listen(Endpoint local) {
        return transport.listen(local, this::accept);
    }

    /** On the transport's thread. */
    private ConnectionHandler accept() {
        Link link = new Link(receiver());
        if (!accepted.offer(link)) {
            link.close();
        }
        return link;
    }

    private BatchReceiver receiver() {
        return new BatchReceiver(ring, journal, ownStream, counters);
    }

    /** On the journaler's thread. */
    @Override
    public void onGap(long stream) {
        gaps.offer(stream);
    }

    @Override
    public String roleName() {
        return "replicator";
    }

    @Override
    public int doWork() {
        ClusterView view = cluster.view();
        long nowNs = clock.nanoTime();
        int work = gaps.drain(stream -> subscribers.values().forEach(subscriber -> subscriber.resubscribe(stream)));
        work += accepted.drain(this::publish);
        if (view.revision() != reconciledRevision || nowNs - reconciledNs >= RECONCILE_NS) {
            reconcile(view);
            reconciledRevision = view.revision();
            reconciledNs = nowNs;
        }
        for (Subscriber subscriber : subscribers.values()) {
            work += subscriber.poll();
        }
        return work + pollPublishers(view, nowNs) + send();
    }

    private void publish(Link link) {
        if (publishers.size() == PUBLISHERS_MAX) {
            LOG.warn("More than {} queue nodes connect; the one at {} is turned away.", PUBLISHERS_MAX, link.remote());
            link.close();
        } else {
            publishers.add(new Publisher(link, self, ownStream, journal, followers, clock, counters));
        }
    }

    private int pollPublishers(ClusterView view, long nowNs) {
        int work = 0;
        for (int i = publishers.size() - 1; i >= 0; i--) {
            Publisher publisher = publishers.get(i);
            if (publisher.isClosed()) {
                publisher.close();
                publishers.remove(i);
            } else {
                work += publisher.poll(view, nowNs, this::admitted);
            }
        }
        return work;
    }

    /** The open connection over which a session is served; null when there is none. */
    private Publisher admitted(long session) {
        for (Publisher publisher : publishers) {
            if (publisher.session() == session && !publisher.isClosed()) {
                return publisher;
            }
        }
        return null;
    }

    /** Gives every peer a batch in turn, until nobody can take one or it is enough for this round. */
    private int send() {
        int sent = 0;
        int idle = 0;
        while (idle < publishers.size() && sent < BATCHES_PER_ROUND) {
            turn = turn + 1 < publishers.size() ? turn + 1 : 0;
            int now = publishers.get(turn).sendOne();
            sent += now;
            idle = now == 0 ? idle + 1 : 0;
        }
        return sent;
    }

    /** Subscribes where the view says there is something to be had, and nowhere else. */
    private void reconcile(ClusterView view) {
        List<QueueMember> peers = view.queues().stream()
                .filter(member -> member.session() != self.session())
                .toList();
        Set<Long> sessions = peers.stream().map(QueueMember::session).collect(Collectors.toSet());
        for (Iterator<Subscriber> gone = subscribers.values().iterator(); gone.hasNext(); ) {
            Subscriber subscriber = gone.next();
            if (!sessions.contains(subscriber.peer().session())) {
                subscriber.close();
                gone.remove();
            }
        }
        followers.retain(peers.stream().map(QueueMember::id).toList(), Math.max(view.registered(), 1));
        for (QueueMember peer : peers) {
            subscribers
                    .computeIfAbsent(peer.session(), session -> subscriber(peer))
                    .update(peer);
        }
        Map<Subscriber, Set<Long>> wanted = wanted(view, peers);
        subscribers.values().forEach(subscriber -> subscriber.want(wanted.getOrDefault(subscriber, Set.of())));
    }

    private Subscriber subscriber(QueueMember peer) {
        return new Subscriber(peer, self, transport, journal, clock, counters, () -> new Link(receiver()));
    }

    private Map<Subscriber, Set<Long>> wanted(ClusterView view, List<QueueMember> peers) {
        Map<Subscriber, Set<Long>> wanted = new HashMap<>();
        Set<Long> dead = new TreeSet<>(view.lastCut().keySet());
        for (QueueMember peer : peers) {
            dead.addAll(peer.positions().keySet());
        }
        dead.remove(ownStream);
        for (QueueMember peer : peers) {
            dead.remove(peer.stream());
            wanted.computeIfAbsent(subscribers.get(peer.session()), ignored -> new HashSet<>())
                    .add(peer.stream());
        }
        for (long stream : dead) {
            Subscriber source = sourceOf(stream);
            if (source != null && wanted.get(source).size() < STREAMS_MAX) {
                wanted.get(source).add(stream);
            }
        }
        return wanted;
    }

    /** The peer to have a dead node's stream from: the one it comes from already, or else who holds most of it. */
    private Subscriber sourceOf(long stream) {
        long position = journal.position(stream);
        Subscriber best = null;
        for (Subscriber subscriber : subscribers.values()) {
            QueueMember peer = subscriber.peer();
            if (peer.position(stream) > position && peer.holdsAbove(stream, position)) {
                if (subscriber.isSubscribedTo(stream)) {
                    return subscriber;
                }
                if (best == null || isBetter(peer, best.peer(), stream)) {
                    best = subscriber;
                }
            }
        }
        return best;
    }

    private static boolean isBetter(QueueMember peer, QueueMember than, long stream) {
        int order = Long.compare(peer.position(stream), than.position(stream));
        return order > 0 || (order == 0 && peer.session() < than.session());
    }

    @Override
    public void onClose() {
        CloseHelper.closeAll(subscribers.values());
        CloseHelper.closeAll(publishers);
        subscribers.clear();
        publishers.clear();
    }
}
