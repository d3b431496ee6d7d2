package io.chimera.queue.replication;

import io.chimera.common.agent.Clock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.Transport;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.security.NodeIdentity;
import io.chimera.common.security.PeerCertificate;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.ReplicationFrame;
import io.chimera.queue.journal.Journal;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.collections.Long2ObjectHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node as a subscriber of one session of a peer: connects, again and again, asks for streams from its own journal's
 * position on, and reports how far the peer's own stream is durable here. One thread.
 */
final class Subscriber implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Subscriber.class);

    private static final long BACKOFF_NS_MIN = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long BACKOFF_NS_MAX = TimeUnit.SECONDS.toNanos(2);

    /** An address that is none stays so until the peer is started anew. */
    private static final long ADDRESS_NS = TimeUnit.MINUTES.toNanos(1);

    /** A stream is asked for anew at most so often: what was sent before is still on the way. */
    private static final long RESUBSCRIBE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    /** What a peer does not hold is asked for again after so long. */
    private static final long GAP_NS = TimeUnit.SECONDS.toNanos(1);

    /** A stream that stands still for so long, though the peer has more, is asked for anew. */
    private static final long STUCK_NS = TimeUnit.SECONDS.toNanos(5);

    private final Hello self;
    private final Transport transport;
    private final Journal journal;
    private final Clock clock;
    private final Counters<QueueCounter> counters;
    private final Supplier<Link> links;
    private final Long2ObjectHashMap<Subscription> subscriptions = new Long2ObjectHashMap<>();

    private QueueMember peer;
    private Link link;
    private boolean isGreeted;
    private boolean isReady;
    private long reported;
    private long retryAtNs;
    private long backoffNs = BACKOFF_NS_MIN;

    /** A stream that is wanted of the peer. */
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

        /** Notes where the journal is, and returns whether it has stood still for long. */
        boolean isStuck(long newPosition, boolean isBehind, long nowNs) {
            if (newPosition != position || !isBehind) {
                position = newPosition;
                movedNs = nowNs;
            }
            return nowNs - movedNs >= STUCK_NS;
        }
    }

    Subscriber(
            QueueMember peer,
            Hello self,
            Transport transport,
            Journal journal,
            Clock clock,
            Counters<QueueCounter> counters,
            Supplier<Link> links) {
        this.peer = peer;
        this.self = self;
        this.transport = transport;
        this.journal = journal;
        this.clock = clock;
        this.counters = counters;
        this.links = links;
        retryAtNs = clock.nanoTime();
    }

    QueueMember peer() {
        return peer;
    }

    /** Takes the newest announcement of the same session. */
    void update(QueueMember newPeer) {
        peer = newPeer;
    }

    boolean isSubscribedTo(long stream) {
        return subscriptions.containsKey(stream);
    }

    /** Sets which streams are wanted of this peer; those that are wanted already go on. */
    void want(Set<Long> streams) {
        subscriptions.entrySet().removeIf(entry -> {
            boolean isUnwanted = !streams.contains(entry.getKey());
            if (isUnwanted && isReady && entry.getValue().isSent) {
                link.send(ReplicationFrame.UNSUBSCRIBE, entry.getKey(), 0); // if not heard, what comes is a duplicate
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

    /** Has a stream sent again from the journal's position on. */
    void resubscribe(long stream) {
        Subscription subscription = subscriptions.get(stream);
        if (subscription != null && subscription.isSent) {
            subscription.isSent = false;
            counters.increment(QueueCounter.REPLICATION_RESUBSCRIBED);
        }
    }

    /** Connects where needed, deals with what came in, asks for what is wanted. */
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
            Endpoint remote = Endpoint.parse(peer.address());
            link = links.get();
            transport.connect(remote, link);
        } catch (IllegalArgumentException e) {
            LOG.error("Queue node {} announces no address that can be connected to: {}", peer.id(), e.getMessage());
            retryAtNs = clock.nanoTime() + ADDRESS_NS;
        }
        return 1;
    }

    private void onClosed() {
        counters.increment(QueueCounter.REPLICATION_CONNECTIONS_LOST);
        if (isReady) {
            LOG.info("Connection with queue node {} at {} is gone: {}", peer.id(), peer.address(), link.closed());
        } else {
            LOG.debug("No connection with queue node {} at {}: {}", peer.id(), peer.address(), link.closed());
        }
        link = null;
        isGreeted = false;
        isReady = false;
        retryAtNs = clock.nanoTime() + backoffNs;
        backoffNs = Math.min(2 * backoffNs, BACKOFF_NS_MAX);
    }

    private int takeNotes() {
        int taken = 0;
        for (Link.Note note = link.peek(); note != null; note = link.peek()) {
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
        if (hello.session() != peer.session() || !hello.fits(self)) {
            LOG.warn(
                    "Queue node {} at {} answered as another node: {} instead of session {} of {}. Check its address, the"
                            + " cluster's name and the versions of both; nothing is copied from it.",
                    peer.id(),
                    peer.address(),
                    hello,
                    peer.session(),
                    self);
            link.close();
            return;
        }
        Optional<String> mismatch = PeerCertificate.mismatch(
                link.certificate(), new NodeIdentity(self.cluster(), NodeIdentity.QUEUE, peer.id()));
        if (mismatch.isPresent()) {
            counters.increment(QueueCounter.REPLICATION_PEERS_REFUSED);
            LOG.warn(
                    "Refused queue node {} at {}: {}. Nothing is copied from it.",
                    peer.id(),
                    peer.address(),
                    mismatch.get());
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

    /** The peer has let go of what is wanted next. The low-water mark will raise the position here, too. */
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
