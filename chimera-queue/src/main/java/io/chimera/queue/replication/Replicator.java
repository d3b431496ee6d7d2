package io.chimera.queue.replication;

import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.append.GapListener;
import io.chimera.queue.peer.PeerNetwork;
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
 * Replicates the points accepted by any queue node of the journal group to all queue nodes of the group. This node
 * subscribes at every live peer to the peer's own stream. For the streams of dead nodes, this node subscribes at some
 * peer to the records missing here. This node also serves its peers from its journal. Received batches pass through
 * ring and journaler into the journal, like batches of this node.
 *
 * <p>The replicator compares the newest view with the present subscriptions, so the replicator depends on no single
 * event. A peer that joins, leaves or returns, a broken connection and a missing batch all lead to a subscription from
 * the journal's position on.
 */
public final class Replicator implements Agent, GapListener {
    private static final Logger LOG = LoggerFactory.getLogger(Replicator.class);

    /** Maximum number of connections from peers, both newly accepted between two rounds and in total. */
    private static final int PUBLISHERS_MAX = 64;

    /**
     * Maximum number of streams requested at one peer at a time; further streams follow when the first streams have
     * caught up.
     */
    private static final int STREAMS_MAX = 64;

    /** Maximum number of batches sent in one round: 16 x 256 KiB are 4 MiB, about 2 ms. */
    private static final int BATCHES_PER_ROUND = 16;

    /**
     * Poll interval for the subscriptions of dead streams, because the positions of this journal change without a new
     * view.
     */
    private static final long RECONCILE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /**
     * Maximum number of gap reports from the journaler between two rounds. A lost report is detected later as a stalled
     * stream.
     */
    private static final int GAPS_MAX = 256;

    private final PeerNetwork network;
    private final Journal journal;
    private final BatchRing ring;
    private final Followers followers;
    private final Counters<QueueCounter> counters;
    private final ManyToOneConcurrentArrayQueue<PeerLink> accepted =
            new ManyToOneConcurrentArrayQueue<>(PUBLISHERS_MAX);
    private final ManyToOneConcurrentArrayQueue<Long> gaps = new ManyToOneConcurrentArrayQueue<>(GAPS_MAX);

    /** Subscribers by session of the peer. */
    private final Map<Long, Subscriber> subscribers = new HashMap<>();

    private final List<Publisher> publishers = new ArrayList<>();
    private long reconciledRevision = -1;
    private long reconciledNs;
    private int turn;
    private boolean isFollowing = true;

    /**
     * Creates a replicator as an agent of a thread, possibly the journaler's thread.
     *
     * @param network connects with the peers
     * @param journal read by the replicator
     * @param ring receives the batches of the peers
     * @param followers receives the positions of the peers in the own stream
     */
    public Replicator(
            PeerNetwork network,
            Journal journal,
            BatchRing ring,
            Followers followers,
            Counters<QueueCounter> counters) {
        this.network = network;
        this.journal = journal;
        this.ring = ring;
        this.followers = followers;
        this.counters = counters;
    }

    /**
     * Starts to listen for peers.
     *
     * @param local local address
     * @return address to be announced
     */
    public Endpoint listen(Endpoint local) {
        return network.transport().listen(local, this::accept);
    }

    /**
     * Ends the subscriptions for good: this node copies no further records, and continues to serve its peers. The
     * thread of {@link #doWork}.
     */
    public void stopFollowing() {
        isFollowing = false;
        reconcile(network.cluster().view());
    }

    /** Called on the transport's thread. */
    private ConnectionHandler accept() {
        PeerLink link = new PeerLink(receiver());
        if (!accepted.offer(link)) {
            link.close();
        }
        return link;
    }

    private BatchReceiver receiver() {
        return new BatchReceiver(ring, journal, network.self().stream(), counters);
    }

    /** Called on the journaler's thread. */
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
        ClusterView view = network.cluster().view();
        long nowNs = network.clock().nanoTime();
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

    private void publish(PeerLink link) {
        if (publishers.size() == PUBLISHERS_MAX) {
            LOG.warn("Refused a connection: over {} queue nodes connected, remote={}.", PUBLISHERS_MAX, link.remote());
            link.close();
        } else {
            publishers.add(new Publisher(link, network, journal, followers, counters));
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

    /** Open connection of an admitted session; null without such a connection. */
    private Publisher admitted(long session) {
        for (Publisher publisher : publishers) {
            if (publisher.session() == session && !publisher.isClosed()) {
                return publisher;
            }
        }
        return null;
    }

    /** Sends a batch to each peer in turn, until no peer has a batch and credit, or until the limit of the round. */
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

    /** Adjusts the subscriptions to the view. */
    private void reconcile(ClusterView view) {
        List<QueueMember> peers = view.queues().stream()
                .filter(member -> member.session() != network.self().session())
                .toList();
        Set<Long> sessions = peers.stream().map(QueueMember::session).collect(Collectors.toSet());
        for (Iterator<Subscriber> gone = subscribers.values().iterator(); gone.hasNext(); ) {
            Subscriber subscriber = gone.next();
            if (!sessions.contains(subscriber.peer().session())) {
                subscriber.close();
                gone.remove();
            }
        }
        followers.follow(view);
        for (QueueMember peer : peers) {
            subscribers
                    .computeIfAbsent(peer.session(), session -> subscriber(peer))
                    .update(peer);
        }
        Map<Subscriber, Set<Long>> wanted = isFollowing ? wanted(view, peers) : Map.of();
        subscribers.values().forEach(subscriber -> subscriber.want(wanted.getOrDefault(subscriber, Set.of())));
    }

    private Subscriber subscriber(QueueMember peer) {
        return new Subscriber(peer, network, this::connect, journal, counters);
    }

    private PeerLink connect(Endpoint remote) {
        PeerLink link = new PeerLink(receiver());
        network.transport().connect(remote, link);
        return link;
    }

    private Map<Subscriber, Set<Long>> wanted(ClusterView view, List<QueueMember> peers) {
        Map<Subscriber, Set<Long>> wanted = new HashMap<>();
        Set<Long> dead = new TreeSet<>(view.lastCut().streams());
        for (QueueMember peer : peers) {
            dead.addAll(peer.positions().streams());
        }
        dead.remove(network.self().stream());
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

    /**
     * Peer to copy a dead node's stream from: the peer already subscribed to, or else the peer with the highest
     * position.
     */
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
