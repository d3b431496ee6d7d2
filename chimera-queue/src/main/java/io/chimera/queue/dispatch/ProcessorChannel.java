package io.chimera.queue.dispatch;

import io.chimera.common.agent.Clock;
import io.chimera.common.channel.Connection;
import io.chimera.common.channel.ConnectionHandler;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.Transport;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.identity.NodeIdentity;
import io.chimera.common.identity.PeerCertificate;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PastFrame;
import io.chimera.common.wire.Slice;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Channel to one session of a processor: connects, introduces this node, sends frames within the credit, and delivers
 * the answers of the processor. Owned by the channel manager's thread; the transport's thread only adds notes to a
 * bounded queue.
 */
final class ProcessorChannel implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessorChannel.class);

    /**
     * Maximum number of queued notes between two rounds of the channel manager: answers for a few cycles of a few
     * hundred parts and shards.
     */
    private static final int NOTES_MAX = 4096;

    private static final long BACKOFF_NS_MIN = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long BACKOFF_NS_MAX = TimeUnit.SECONDS.toNanos(2);

    /**
     * Time without a connection until a processor counts as unreachable: several connection attempts, and less than the
     * 4 s session timeout of a dead processor.
     */
    private static final long UNREACHABLE_NS = TimeUnit.SECONDS.toNanos(3);

    private final ProcessorMember member;
    private final Hello self;
    private final Transport transport;
    private final Clock clock;
    private final Counters<QueueCounter> counters;
    private final ManyToOneConcurrentArrayQueue<Note> notes = new ManyToOneConcurrentArrayQueue<>(NOTES_MAX);

    private Connection connection;
    private boolean isConnecting;
    private boolean isReady;
    private boolean isLagging;
    private long connectionNumber;
    private long unreadySinceNs;
    private long attempt;
    private long retryAtNs;
    private long backoffNs = BACKOFF_NS_MIN;

    /** Receives the answers of the processor. */
    interface AnswerHandler {
        /** The processor holds or lacks a slice of a part of a shard. */
        void onAnswer(Answer answer);

        /** The processor sent an invalid frame; the channel closes the connection. */
        void onRefused();

        /** The processor requests a past cycle. */
        void onPast(ProcessorChannel channel, PastFrame.Request request);
    }

    /**
     * Message from the transport's thread to the owner. The attempt distinguishes notes of an old connection from notes
     * of the current connection.
     */
    private record Note(
            long attempt, Connection opened, Hello hello, Answer answer, PastFrame.Request past, String closed) {}

    /**
     * Answer of a processor about a part of a shard.
     *
     * @param type OK or NEED
     * @param slice slice that the processor holds or lacks
     * @param processor session of the processor
     */
    record Answer(int type, long cycle, int part, int shard, Slice slice, long processor) {}

    ProcessorChannel(
            ProcessorMember member, Hello self, Transport transport, Clock clock, Counters<QueueCounter> counters) {
        this.counters = counters;
        this.member = member;
        this.self = self;
        this.transport = transport;
        this.clock = clock;
        retryAtNs = clock.nanoTime();
        unreadySinceNs = retryAtNs;
    }

    /** Connects if necessary and processes received notes. */
    int poll(AnswerHandler answers) {
        int work = 0;
        for (Note note = notes.poll(); note != null; note = notes.poll()) {
            work++;
            if (note.attempt() == attempt) {
                onNote(note, answers);
            }
        }
        if (connection == null && !isConnecting && clock.nanoTime() - retryAtNs >= 0) {
            isConnecting = true;
            attempt++;
            transport.connect(Endpoint.parse(member.address()), new Inbox(attempt));
            work++;
        }
        return work;
    }

    private void onNote(Note note, AnswerHandler answers) {
        if (note.opened() != null) {
            isConnecting = false;
            connection = note.opened();
            UnsafeBuffer frame = new UnsafeBuffer(new byte[self.length()]);
            self.encode(frame, 0);
            connection.offer(frame, 0, self.length());
        } else if (note.hello() != null) {
            onHello(note.hello());
        } else if (note.answer() != null) {
            Answer answer = note.answer();
            if (isFromProcessor(answer.processor(), answers)) {
                answers.onAnswer(answer);
            }
        } else if (note.past() != null) {
            if (isFromProcessor(note.past().processor(), answers)) {
                answers.onPast(this, note.past());
            }
        } else {
            onClosed(note.closed());
        }
    }

    /** Whether a frame with a session comes from the processor, after its HELLO; closes the connection otherwise. */
    private boolean isFromProcessor(long session, AnswerHandler answers) {
        if (isReady && session == member.session()) {
            return true;
        }
        if (connection != null && connection.isOpen()) {
            answers.onRefused();
            LOG.warn(
                    "Closed the channel to processor {} at {}: an answer names session {}, ready={}.",
                    member.id(),
                    member.address(),
                    Long.toHexString(session),
                    isReady);
            connection.close();
        }
        return false;
    }

    private void onHello(Hello hello) {
        if (hello.session() != member.session() || !hello.fits(self)) {
            // another process took over the address; the member list will show the new member
            LOG.warn(
                    "Processor {} at {} answered as another node: hello={}. No frames are sent to it.",
                    member.id(),
                    member.address(),
                    hello);
            connection.close();
        } else if (isForeign()) {
            connection.close();
        } else {
            isReady = true;
            connectionNumber = attempt;
            backoffNs = BACKOFF_NS_MIN;
        }
    }

    /** Whether the peer presents a certificate of another node. */
    private boolean isForeign() {
        Optional<String> mismatch = PeerCertificate.mismatch(
                connection.certificate(), new NodeIdentity(self.cluster(), NodeIdentity.PROCESSOR, member.id()));
        mismatch.ifPresent(reason -> {
            counters.increment(QueueCounter.DISPATCH_PEERS_REFUSED);
            LOG.warn("Refused processor {} at {}: {}. No frames are sent.", member.id(), member.address(), reason);
        });
        return mismatch.isPresent();
    }

    private void onClosed(String reason) {
        if (isReady) {
            LOG.info("Channel to processor {} at {} closed: {}.", member.id(), member.address(), reason);
        } else {
            LOG.debug("Channel to processor {} at {} did not open: {}.", member.id(), member.address(), reason);
        }
        isConnecting = false;
        unreadySinceNs = isReady ? clock.nanoTime() : unreadySinceNs;
        isReady = false;
        isLagging = false;
        connection = null;
        retryAtNs = clock.nanoTime() + backoffNs;
        backoffNs = Math.min(2 * backoffNs, BACKOFF_NS_MAX);
    }

    boolean isReady() {
        return isReady && connection.isOpen();
    }

    /** Whether the processor has been without a connection for {@link #UNREACHABLE_NS}. */
    boolean isUnreachable() {
        return !isReady && clock.nanoTime() - unreadySinceNs >= UNREACHABLE_NS;
    }

    /** Whether the processor receives so slowly that it gets separate passes. */
    boolean isLagging() {
        return isLagging;
    }

    void lagging(boolean lags) {
        if (lags && !isLagging) {
            LOG.info("Processor {} at {} lags; its shards are sent in separate passes.", member.id(), member.address());
        }
        isLagging = lags;
    }

    /** Number of the connection; frames sent over an earlier connection may not have arrived. */
    long connectionNumber() {
        return connectionNumber;
    }

    boolean offer(DirectBuffer buffer, int offset, int length) {
        return isReady() && connection.offer(buffer, offset, length);
    }

    @Override
    public void close() {
        attempt++;
        if (connection != null) {
            connection.close();
        }
    }

    /** Callbacks on the transport's thread. */
    private final class Inbox implements ConnectionHandler {
        private final long number;

        Inbox(long number) {
            this.number = number;
        }

        @Override
        public void onOpen(Connection opened) {
            leave(new Note(number, opened, null, null, null, null));
        }

        @Override
        public boolean onFrame(Connection from, DirectBuffer buffer, int offset, int length) {
            Note note = note(buffer, offset, length);
            if (note == null) {
                from.close();
                return true;
            }
            if (!notes.offer(note)) {
                return false;
            }
            from.consumed(length);
            return true;
        }

        private Note note(DirectBuffer buffer, int offset, int length) {
            int type = length < 2 ? 0 : PartFrame.type(buffer, offset);
            if (type == PartFrame.HELLO) {
                Hello hello = Hello.decode(buffer, offset, length);
                return hello == null ? null : new Note(number, null, hello, null, null, null);
            }
            if (type == PastFrame.PAST) {
                PastFrame.Request past = PastFrame.decode(buffer, offset, length);
                return past == null ? null : new Note(number, null, null, null, past, null);
            }
            boolean isAnswer = (type == PartFrame.OK || type == PartFrame.NEED) && length == PartFrame.ANSWER_LENGTH;
            if (!isAnswer || !Slice.isNamed(buffer, offset)) {
                return null;
            }
            Answer answer = new Answer(
                    type,
                    PartFrame.cycle(buffer, offset),
                    PartFrame.part(buffer, offset),
                    PartFrame.shard(buffer, offset),
                    Slice.of(buffer, offset),
                    PartFrame.word(buffer, offset, 0));
            return new Note(number, null, null, answer, null, null);
        }

        @Override
        public void onClose(String reason) {
            leave(new Note(number, null, null, null, null, reason));
        }

        /**
         * Adds a note about opening or closing. A connection produces at most two such notes, so the queue always has
         * room.
         */
        private void leave(Note note) {
            if (!notes.offer(note)) {
                LOG.error("Note queue of processor {} is full; its channel is stuck. Restart this node.", member.id());
            }
        }
    }
}
