package io.chimera.queue.replication;

import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.StreamRange;
import io.chimera.common.cluster.membership.Admission;
import io.chimera.common.cluster.membership.Admission.Verdict;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.ReplicationFrame;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.peer.PeerNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import org.agrona.CloseHelper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the subscriptions of one peer from the journal as far as the peer's credit allows. Receives the peer's durable
 * position in this node's own stream. One thread.
 */
final class Publisher implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);

    /**
     * Maximum number of open streams per subscriber; each stream needs a buffer of half a megabyte. Twice the
     * replicator's own limit.
     */
    private static final int SUBSCRIPTIONS_MAX = 128;

    private final PeerLink link;
    private final Hello self;
    private final long ownStream;
    private final Journal journal;
    private final Followers followers;
    private final Counters<QueueCounter> counters;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final Admission admission;
    private boolean isRefused;
    private QueueMember subscriber;
    private long seenRevision = -1;
    private int turn;

    /** A stream subscribed by the peer. */
    private static final class Subscription {
        private final long stream;
        private final BatchFeed feed;

        /** Whether the feed holds an unsent batch. */
        private boolean isLoaded;

        Subscription(long stream, BatchFeed feed) {
            this.stream = stream;
            this.feed = feed;
        }
    }

    Publisher(
            PeerLink link, PeerNetwork network, Journal journal, Followers followers, Counters<QueueCounter> counters) {
        this.link = link;
        self = network.self().hello();
        ownStream = network.self().stream();
        this.journal = journal;
        this.followers = followers;
        this.counters = counters;
        admission = new Admission(self, network.clock().nanoTime());
    }

    boolean isClosed() {
        return link.closed() != null;
    }

    /** Session of the subscriber; 0 before its admission. */
    long session() {
        return subscriber == null ? 0 : subscriber.session();
    }

    String remote() {
        return link.remote();
    }

    /**
     * Processes the frames of the subscriber.
     *
     * @param open looks up the open connection of an admitted session; null without such a connection
     */
    int poll(ClusterView view, long nowNs, LongFunction<Publisher> open) {
        if (isRefused || !link.isOpen()) {
            return 0;
        }
        if (subscriber == null && !introduce(view, nowNs, open)) {
            return 0;
        }
        if (hasLeft(view)) {
            return 0;
        }
        int taken = 0;
        for (PeerLink.Note note = link.peek(); note != null && !isRefused; note = link.peek()) {
            link.remove();
            taken++;
            switch (note.type()) {
                case ReplicationFrame.SUBSCRIBE -> subscribe(note.stream(), note.seq());
                case ReplicationFrame.UNSUBSCRIBE -> unsubscribe(note.stream());
                case ReplicationFrame.POSITION -> onPosition(note.stream(), note.seq());
                default -> LOG.debug("Queue node {} sent an unexpected frame {}.", subscriber.id(), note.type());
            }
        }
        return taken;
    }

    /** Waits for the HELLO of the subscriber, and until the view of the cluster contains the subscriber's session. */
    private boolean introduce(ClusterView view, long nowNs, LongFunction<Publisher> open) {
        PeerLink.Note first = link.peek();
        if (first == null) {
            return closeIf(admission.hasNotSpoken(nowNs) == Verdict.REFUSE, admission.reason());
        }
        Hello hello = first.hello();
        Optional<String> older = Optional.ofNullable(hello == null ? null : open.apply(hello.session()))
                .map(Publisher::remote);
        Verdict verdict = admission.look(view, hello, link.certificate(), older, nowNs);
        if (verdict != Verdict.ADMIT) {
            return closeIf(verdict == Verdict.REFUSE, admission.reason());
        }
        if (!link.send(self)) {
            return false;
        }
        link.remove();
        subscriber = view.queue(hello.session()).orElseThrow();
        followers.report(subscriber.id(), subscriber.session(), 0);
        return true;
    }

    /**
     * Closes the connection of a subscriber whose session has ended. Such a process may be removed, or replaced by
     * another process with its id, so its journal holds no copy. The process connects again with its next session.
     */
    private boolean hasLeft(ClusterView view) {
        if (view.revision() == seenRevision || !view.connected()) {
            return false;
        }
        seenRevision = view.revision();
        if (view.queue(subscriber.session()).isPresent()) {
            return false;
        }
        isRefused = true; // the connection closes a moment later
        LOG.info("Closed the connection of a queue node that has left: node={}.", subscriber.id());
        link.close();
        return true;
    }

    private boolean closeIf(boolean isOver, String reason) {
        if (isOver) {
            isRefused = true; // the connection closes a moment later
            counters.increment(QueueCounter.REPLICATION_CONNECTIONS_REFUSED);
            LOG.warn("Refused a connection: remote={}, reason={}.", link.remote(), reason);
            link.close();
        }
        return false;
    }

    private void subscribe(long stream, long after) {
        unsubscribe(stream);
        if (subscriptions.size() == SUBSCRIPTIONS_MAX) {
            closeIf(true, "it requested more than " + SUBSCRIPTIONS_MAX + " streams at a time");
            return;
        }
        subscriptions.add(new Subscription(stream, journal.feed(StreamRange.from(stream, after))));
    }

    private void unsubscribe(long stream) {
        subscriptions.removeIf(subscription -> {
            boolean isMeant = subscription.stream == stream;
            if (isMeant) {
                subscription.feed.close();
            }
            return isMeant;
        });
    }

    private void onPosition(long stream, long seq) {
        if (stream == ownStream) {
            // no peer can hold records beyond this node's own journal
            followers.report(subscriber.id(), subscriber.session(), Math.min(seq, journal.position(ownStream)));
        }
    }

    /** Sends a batch of the next subscription with a batch; returns 0 without a batch or without credit. */
    int sendOne() {
        for (int i = subscriptions.size(); i > 0 && link.isOpen(); i--) {
            turn = turn + 1 < subscriptions.size() ? turn + 1 : 0;
            Subscription subscription = subscriptions.get(turn);
            if (subscription.isLoaded || load(subscription)) {
                return send(subscription);
            }
        }
        return 0;
    }

    private boolean load(Subscription subscription) {
        BatchFeed.Step step = subscription.feed.next();
        subscription.isLoaded = step == BatchFeed.Step.BATCH;
        if (step == BatchFeed.Step.GAP) {
            // sent once per subscription; if the frame is lost, the subscriber requests the stream again after a stall
            link.send(ReplicationFrame.GAP, subscription.stream, journal.bases().at(subscription.stream));
            unsubscribe(subscription.stream);
        }
        return subscription.isLoaded;
    }

    private int send(Subscription subscription) {
        BatchFeed feed = subscription.feed;
        int length = BatchLayout.length(feed.buffer(), feed.offset());
        if (!link.send(feed.buffer(), feed.offset(), length)) {
            return 0;
        }
        subscription.isLoaded = false;
        counters.increment(QueueCounter.REPLICATION_BATCHES_SENT);
        counters.add(QueueCounter.REPLICATION_BYTES_SENT, length);
        return 1;
    }

    @Override
    public void close() {
        CloseHelper.closeAll(
                subscriptions.stream().map(subscription -> subscription.feed).toList());
        subscriptions.clear();
        link.close();
    }
}
