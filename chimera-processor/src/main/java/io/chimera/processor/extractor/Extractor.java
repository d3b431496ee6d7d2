package io.chimera.processor.extractor;

import io.chimera.api.HotPath;
import io.chimera.common.agent.Clock;
import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.membership.Admission;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.PartFrame;
import io.chimera.processor.pipeline.Sender;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.agrona.DirectBuffer;

/**
 * Array of pre-allocated buffers between the channels and staging (Chimera 2017, III-D1). The transport's threads copy
 * each frame into the next free slot; staging consumes the slots in order. Without a free slot, a frame stays with the
 * transport and returns no credit, so the sender slows down.
 */
public final class Extractor {
    /**
     * Length of a slot: a frame of the largest record with its definitions, 768 KiB and the frame's header, rounded up
     * to 64. The number of slots follows from Little's law = frames per second x seconds in the extractor. A sender
     * fills frames to 64 KiB; 4 M points/s x 104 B / 64 KiB = 6,300 frames/s; staging may pause for 4 ms (a growing
     * table, a new view, a garbage collection): 6,300 x 0.004 = 25, rounded up to a power of two: 32 slots, 24 MiB.
     * This is the default of {@code processor.ring_slots}.
     */
    public static final int SLOT_LENGTH = (BatchLayout.LENGTH_MAX + PartFrame.HEADER_LENGTH + 63) & ~63;

    private final Hello self;
    private final Clock clock;
    private final Cluster cluster;
    private final BatchRing ring;
    private final Counters<ProcessorCounter> counters;
    private final ConcurrentMap<Long, Sender> senders = new ConcurrentHashMap<>();

    /**
     * Creates an extractor without connections.
     *
     * @param self HELLO of this processor
     * @param clock time
     * @param cluster shows the queue nodes that may connect
     * @param ring slots of {@link #SLOT_LENGTH}, consumed by staging
     * @param counters of the node
     */
    public Extractor(Hello self, Clock clock, Cluster cluster, BatchRing ring, Counters<ProcessorCounter> counters) {
        this.self = self;
        this.clock = clock;
        this.cluster = cluster;
        this.ring = ring;
        this.counters = counters;
    }

    /** Returns a handler for a connection of a queue node. */
    public ConnectionHandler accept() {
        return new Inbound(this);
    }

    /** Returns the connection of a queue node; null when not connected. Any thread. */
    public Sender sender(long session) {
        return senders.get(session);
    }

    /** Returns the number of connected queue nodes. Any thread. */
    public int connections() {
        return senders.size();
    }

    Hello self() {
        return self;
    }

    /** Returns the admission state of a connection accepted now. */
    Admission admission() {
        return new Admission(self, clock.nanoTime());
    }

    /**
     * Checks whether a connection may speak for the session of its HELLO. An open connection of the same session stays:
     * a second connection waits until the first closes.
     *
     * @param hello first frame of the connection; null for any other frame
     */
    Admission.Verdict admit(Admission admission, Hello hello, Connection connection) {
        Optional<String> older = Optional.ofNullable(hello == null ? null : senders.get(hello.session()))
                .map(Sender::connection)
                .filter(Connection::isOpen)
                .map(Connection::remote);
        return admission.look(cluster.view(), hello, connection.certificate(), older, clock.nanoTime());
    }

    /**
     * Registers an admitted connection for answers of other threads; false when another connection of the session
     * registered first.
     */
    boolean register(Sender sender) {
        Sender registered = senders.compute(
                sender.session(),
                (session, older) -> older == null || !older.connection().isOpen() ? sender : older);
        if (!registered.equals(sender)) {
            return false;
        }
        counters.increment(ProcessorCounter.EXTRACTOR_CONNECTIONS);
        return true;
    }

    /** Removes a sender, unless another connection of the same queue node has replaced the sender. */
    void forget(Sender sender) {
        senders.remove(sender.session(), sender);
    }

    void countRefusal() {
        counters.increment(ProcessorCounter.EXTRACTOR_CONNECTIONS_REFUSED);
    }

    /** Copies a frame into a slot; false when no slot is free. */
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
