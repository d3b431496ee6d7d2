package io.chimera.processor.extractor;

import io.chimera.api.HotPath;
import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.security.NodeIdentity;
import io.chimera.common.security.PeerCertificate;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.PartFrame;
import io.chimera.processor.Sender;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongFunction;
import org.agrona.DirectBuffer;

/**
 * The big array of pre-allocated buffers between the channels and staging (Chimera 2017, III-D1). The transport's threads
 * copy each frame into the next free slot; staging takes them in order. When no slot is free a frame stays with the
 * transport, its bytes are not given back as credit, and the sender slows down.
 */
public final class Extractor {
    /**
     * One frame of the largest record with its definitions: 768 KiB and the frame's header, rounded up to 64. How many slots,
     * by Little's law = frames per second x seconds in the extractor. A sender fills frames to 64 KiB; 4 M points/s x 104 B
     * / 64 KiB = 6,300 frames/s; staging may pause for 4 ms (a growing table, a new view, a collection): 6,300 x 0.004 = 25,
     * rounded up to a power of two: 32 slots, 24 MiB. That is the default of {@code processor.ring_slots}.
     */
    public static final int SLOT_LENGTH = (BatchLayout.LENGTH_MAX + PartFrame.HEADER_LENGTH + 63) & ~63;

    private final Hello self;
    private final BatchRing ring;
    private final Counters<ProcessorCounter> counters;
    private final LongFunction<Optional<QueueMember>> members;
    private final ConcurrentMap<Long, Sender> senders = new ConcurrentHashMap<>();

    /**
     * An extractor with nothing in it.
     *
     * @param self how this processor introduces itself
     * @param ring slots of {@link #SLOT_LENGTH}, which staging consumes
     * @param counters of the node
     */
    public Extractor(Hello self, BatchRing ring, Counters<ProcessorCounter> counters) {
        this(self, ring, counters, session -> Optional.empty());
    }

    /**
     * An extractor with nothing in it.
     *
     * @param members queue nodes of the newest view by their sessions, to compare with certificates; any thread
     */
    public Extractor(
            Hello self,
            BatchRing ring,
            Counters<ProcessorCounter> counters,
            LongFunction<Optional<QueueMember>> members) {
        this.members = members;
        this.self = self;
        this.ring = ring;
        this.counters = counters;
    }

    /** A handler for a connection that a queue node made. */
    public ConnectionHandler accept() {
        return new Inbound(this);
    }

    /** The connection of a queue node, or null. Any thread. */
    public Sender sender(long session) {
        return senders.get(session);
    }

    /** Number of queue nodes that are connected. Any thread. */
    public int connections() {
        return senders.size();
    }

    Hello self() {
        return self;
    }

    /**
     * Reason why a connection's certificate is not that of the queue node of a session; empty when it is, and without TLS. A
     * session that no view shows yet is a random number that only its own node knows.
     */
    Optional<String> mismatch(Connection connection, long session) {
        return connection
                .certificate()
                .filter(shown -> !shown.hasRole(self.cluster(), NodeIdentity.QUEUE))
                .map(shown -> "its certificate (" + shown.subject() + ") is not that of a queue node")
                .or(() -> members.apply(session)
                        .flatMap(member -> PeerCertificate.mismatch(
                                connection.certificate(),
                                new NodeIdentity(self.cluster(), NodeIdentity.QUEUE, member.id()))));
    }

    void register(Sender sender) {
        counters.increment(ProcessorCounter.EXTRACTOR_CONNECTIONS);
        senders.put(sender.session(), sender);
    }

    /** Forgets a sender, unless a newer connection of the same queue node has taken its place. */
    void forget(Sender sender) {
        senders.remove(sender.session(), sender);
    }

    void countRefusal() {
        counters.increment(ProcessorCounter.EXTRACTOR_CONNECTIONS_REFUSED);
    }

    /** Copies a frame into a slot; false when none is free. */
    @HotPath
    boolean extract(Sender sender, DirectBuffer buffer, int offset, int length) {
        long sequence = ring.tryClaim();
        if (sequence < 0) {
            counters.increment(ProcessorCounter.EXTRACTOR_RING_FULL);
            return false;
        }
        ring.slot(sequence).buffer().putBytes(0, buffer, offset, length);
        ring.slot(sequence).fill(length, PartFrame.count(buffer, offset), sender);
        ring.publish(sequence);
        counters.increment(ProcessorCounter.EXTRACTOR_FRAMES);
        counters.add(ProcessorCounter.EXTRACTOR_BYTES, length);
        return true;
    }
}
