package io.chimera.queue.replication;

import io.chimera.common.agent.Clock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.membership.ExpectedPeer;
import io.chimera.common.identity.NodeIdentity;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.ReplicationFrame;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.peer.PeerNetwork;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.agrona.collections.Long2ObjectHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subscribes this node to streams at one session of a peer. The subscriber connects and reconnects, requests streams
 * from the position of the local journal on, and reports the local durable position of the peer's own stream. One
 * thread.
 */
final class Subscriber implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Subscriber.class);

    private static final long BACKOFF_NS_MIN = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long BACKOFF_NS_MAX = TimeUnit.SECONDS.toNanos(2);

    /** Retry delay for an invalid address. Such an address stays invalid until the peer restarts. */
    private static final long ADDRESS_NS = TimeUnit.MINUTES.toNanos(1);

    /** Minimum time between two requests for a stream, because earlier batches are still in flight. */
    private static final long RESUBSCRIBE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** Retry delay after a GAP answer of the peer. */
    private static final long GAP_NS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Time without progress of a stream, although the peer has more records, after which the subscriber requests the
     * stream again.
     */
    private static final long STUCK_NS = TimeUnit.SECONDS.toNanos(5);

    private final Hello self;
    private final Function<Endpoint, PeerLink> connector;
    private final Journal journal;
    private final Clock clock;
    private final Counters<QueueCounter> counters;
    private final Long2ObjectHashMap<Subscription> subscriptions = new Long2ObjectHashMap<>();

    private QueueMember peer;
    private PeerLink link;
    private boolean isGreeted;
    private boolean isReady;
    private long reported;
    private long retryAtNs;
    private long backoffNs = BACKOFF_NS_MIN;

    /** A stream wanted from the peer. */
    private static final class Subscription {
        private boolean isSent;
        private long notBeforeNs;
        private long position;
        private long movedNs;

        Subscription(long nowNs) {
            begin(nowNs);
        }

        void begin(long nowNs) {
            isSent = false;
            notBeforeNs = nowNs;
            movedNs = nowNs;
        }

        /** Records the position of the journal, and returns whether the stream has stalled for {@link #STUCK_NS}. */
        boolean isStuck(long newPosition, boolean isBehind, long nowNs) {
            if (newPosition != position || !isBehind) {
                position = newPosition;
                movedNs = nowNs;
            }
            return nowNs - movedNs >= STUCK_NS;
        }
    }

    /**
     * Creates a subscriber without a connection.
     *
     * @param connector opens a connection to an address
     */
    Subscriber(
            QueueMember peer,
            PeerNetwork network,
            Function<Endpoint, PeerLink> connector,
            Journal journal,
            Counters<QueueCounter> counters) {
        this.peer = peer;
        self = network.self().hello();
        this.connector = connector;
        this.journal = journal;
        clock = network.clock();
        this.counters = counters;
        retryAtNs = clock.nanoTime();
    }

    QueueMember peer() {
        return peer;
    }

    /** Replaces the peer by the newest announcement of the same session. */
    void update(QueueMember newPeer) {
        peer = newPeer;
    }

    boolean isSubscribedTo(long stream) {
        return subscriptions.containsKey(stream);
    }

    /** Sets the wanted streams of this peer. Present subscriptions of wanted streams continue. */
    void want(Set<Long> streams) {
        subscriptions.entrySet().removeIf(entry -> {
            boolean isUnwanted = !streams.contains(entry.getKey());
            if (isUnwanted && isReady && entry.getValue().isSent) {
                // if the frame is lost, the batches are dropped as unrequested
                link.send(ReplicationFrame.UNSUBSCRIBE, entry.getKey(), 0);
            }
            return isUnwanted;
        });
        for (long stream : streams) {
            subscriptions.computeIfAbsent(stream, ignored -> new Subscription(clock.nanoTime()));
        }
        if (isReady) {
            link.takeBatches(streams.stream().mapToLong(Long::longValue).toArray());
        }
    }

    /** Requests retransmission of a stream from the journal's position on. */
    void resubscribe(long stream) {
        Subscription subscription = subscriptions.get(stream);
        if (subscription != null && subscription.isSent) {
            subscription.isSent = false;
            counters.increment(QueueCounter.REPLICATION_RESUBSCRIBED);
        }
    }

    /** Connects if necessary, processes received frames, and sends subscriptions. */
    int poll() {
        if (link == null) {
            return connect();
        }
        if (link.closed() != null) {
            onClosed();
            return 1;
        }
        if (!link.isOpen()) {
            return 0;
        }
        if (!isGreeted) {
            isGreeted = link.send(self);
        }
        int work = takeNotes();
        if (isReady) {
            report();
            subscriptions.forEachLong(this::keepUp);
        }
        return work;
    }

    private int connect() {
        if (clock.nanoTime() - retryAtNs < 0) {
            return 0;
        }
        try {
            link = connector.apply(Endpoint.parse(peer.address()));
        } catch (IllegalArgumentException e) {
            LOG.error("Queue node {} announces an invalid address: {}", peer.id(), e.getMessage());
            retryAtNs = clock.nanoTime() + ADDRESS_NS;
        }
        return 1;
    }

    private void onClosed() {
        counters.increment(QueueCounter.REPLICATION_CONNECTIONS_LOST);
        if (isReady) {
            LOG.info("Lost the connection to queue node {} at {}: {}", peer.id(), peer.address(), link.closed());
        } else {
            LOG.debug("Cannot connect to queue node {} at {}: {}", peer.id(), peer.address(), link.closed());
        }
        link = null;
        isGreeted = false;
        isReady = false;
        retryAtNs = clock.nanoTime() + backoffNs;
        backoffNs = Math.min(2 * backoffNs, BACKOFF_NS_MAX);
    }

    private int takeNotes() {
        int taken = 0;
        for (PeerLink.Note note = link.peek(); note != null; note = link.peek()) {
            link.remove();
            taken++;
            if (note.hello() != null) {
                onHello(note.hello());
            } else if (note.type() == ReplicationFrame.GAP) {
                onGap(note.stream());
            }
        }
        return taken;
    }

    private void onHello(Hello hello) {
        NodeIdentity identity = new NodeIdentity(self.cluster(), NodeIdentity.QUEUE, peer.id());
        ExpectedPeer.Verdict verdict =
                new ExpectedPeer(self, peer.session(), identity).check(hello, link.certificate());
        if (!verdict.isExpected()) {
            if (verdict.isForeign()) {
                counters.increment(QueueCounter.REPLICATION_PEERS_REFUSED);
            }
            LOG.warn(
                    "Refused queue node {} at {}: {}. No batches are copied from it.",
                    peer.id(),
                    peer.address(),
                    verdict.reason());
            link.close();
            return;
        }
        isReady = true;
        reported = -1;
        backoffNs = BACKOFF_NS_MIN;
        subscriptions.values().forEach(subscription -> subscription.begin(clock.nanoTime()));
        link.takeBatches(
                subscriptions.keySet().stream().mapToLong(Long::longValue).toArray());
    }

    private void report() {
        long durable = journal.durable(peer.stream());
        if (durable != reported && link.send(ReplicationFrame.POSITION, peer.stream(), durable)) {
            reported = durable;
        }
    }

    /**
     * Delays the next request, because the peer has deleted the wanted records. The low-water mark will raise the local
     * position, too.
     */
    private void onGap(long stream) {
        Subscription subscription = subscriptions.get(stream);
        if (subscription != null) {
            subscription.isSent = false;
            subscription.notBeforeNs = clock.nanoTime() + GAP_NS;
        }
    }

    private void keepUp(long stream, Subscription subscription) {
        long nowNs = clock.nanoTime();
        long position = journal.position(stream);
        if (subscription.isStuck(position, position < peer.position(stream), nowNs)) {
            subscription.movedNs = nowNs;
            resubscribe(stream);
        }
        if (!subscription.isSent
                && nowNs - subscription.notBeforeNs >= 0
                && link.send(ReplicationFrame.SUBSCRIBE, stream, position)) {
            subscription.isSent = true;
            subscription.notBeforeNs = nowNs + RESUBSCRIBE_NS;
        }
    }

    @Override
    public void close() {
        if (link != null) {
            link.close();
        }
    }
}
