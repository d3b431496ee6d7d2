package io.chimera.queue.dispatch;

import io.chimera.common.agent.Clock;
import io.chimera.common.channel.Connection;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.Transport;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.membership.ExpectedPeer;
import io.chimera.common.identity.NodeIdentity;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.wire.Hello;
import io.chimera.common.wire.PastFrame;
import io.chimera.queue.peer.PeerNetwork;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Channel to one session of a processor: connects, introduces this node, sends frames within the credit, and delivers
 * the answers of the processor. {@link ChannelState} lists the states. The channel manager's thread; the transport's
 * thread only fills the {@link ChannelInbox}.
 */
final class ProcessorChannel implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessorChannel.class);

    private static final long BACKOFF_NS_MIN = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long BACKOFF_NS_MAX = TimeUnit.SECONDS.toNanos(2);

    /**
     * Time without a connection until a processor counts as unreachable: several connection attempts, and less than the
     * 4 s session timeout of a dead processor.
     */
    private static final long UNREACHABLE_NS = TimeUnit.SECONDS.toNanos(3);

    private final ProcessorMember member;
    private final ExpectedPeer expected;
    private final Hello self;
    private final Transport transport;
    private final Clock clock;
    private final Counters<QueueCounter> counters;

    private ChannelState state = ChannelState.IDLE;

    /** Inbox of the newest connection; null before the first attempt to connect. */
    private ChannelInbox inbox;

    /** The open connection; null in IDLE and CONNECTING. */
    private Connection connection;

    private long attempt;
    private long connectionNumber;
    private long unreadySinceNs;
    private long retryAtNs;
    private long backoffNs = BACKOFF_NS_MIN;

    /** Receives the answers of the processor. */
    interface AnswerHandler {
        /** The processor holds or lacks a slice of a part of a shard. */
        void onAnswer(ChannelNote.Answer answer);

        /** The processor sent an invalid frame; the channel closes the connection. */
        void onRefused();

        /** The processor requests a past cycle. */
        void onPast(ProcessorChannel channel, PastFrame.Request request);
    }

    ProcessorChannel(ProcessorMember member, PeerNetwork network, Counters<QueueCounter> counters) {
        this.counters = counters;
        this.member = member;
        self = network.self().hello();
        expected = new ExpectedPeer(
                self, member.session(), new NodeIdentity(self.cluster(), NodeIdentity.PROCESSOR, member.id()));
        transport = network.transport();
        clock = network.clock();
        retryAtNs = clock.nanoTime();
        unreadySinceNs = retryAtNs;
    }

    /** Connects if necessary and processes received notes. */
    int poll(AnswerHandler answers) {
        int work = 0;
        for (ChannelNote note = nextNote(); note != null; note = nextNote()) {
            work++;
            onNote(note, answers);
        }
        if (state == ChannelState.IDLE && clock.nanoTime() - retryAtNs >= 0) {
            state = ChannelState.CONNECTING;
            attempt++;
            inbox = new ChannelInbox(member.id());
            transport.connect(Endpoint.parse(member.address()), inbox);
            work++;
        }
        return work;
    }

    private ChannelNote nextNote() {
        return inbox == null ? null : inbox.poll();
    }

    private void onNote(ChannelNote note, AnswerHandler answers) {
        if (note instanceof ChannelNote.Opened opened) {
            onOpened(opened.connection());
        } else if (note instanceof ChannelNote.Ended ended) {
            onEnded(ended.reason());
        } else if (note instanceof ChannelNote.Greeted greeted) {
            onHello(greeted.hello());
        } else if (note instanceof ChannelNote.Answer answer && isFromProcessor(answer.processor(), answers)) {
            answers.onAnswer(answer);
        } else if (note instanceof ChannelNote.PastWanted wanted
                && isFromProcessor(wanted.request().processor(), answers)) {
            answers.onPast(this, wanted.request());
        }
    }

    private void onOpened(Connection opened) {
        state = ChannelState.GREETING;
        connection = opened;
        DirectBuffer frame = self.frame();
        connection.offer(frame, 0, frame.capacity());
    }

    /** Whether a frame with a session comes from the processor, after its HELLO; closes the connection otherwise. */
    private boolean isFromProcessor(long session, AnswerHandler answers) {
        if (state.isGreeted() && session == member.session()) {
            return true;
        }
        if (state != ChannelState.REFUSED && connection.isOpen()) {
            answers.onRefused();
            LOG.warn(
                    "Closed the channel to processor {} at {}: an answer names session {}, state={}.",
                    member.id(),
                    member.address(),
                    Long.toHexString(session),
                    state);
            refuse();
        }
        return false;
    }

    private void onHello(Hello hello) {
        if (state == ChannelState.REFUSED) {
            return;
        }
        ExpectedPeer.Verdict verdict = expected.check(hello, connection.certificate());
        if (verdict.isExpected()) {
            onExpected();
            return;
        }
        if (verdict.isForeign()) {
            counters.increment(QueueCounter.DISPATCH_PEERS_REFUSED);
        }
        LOG.warn(
                "Refused processor {} at {}: {}. No frames are sent.", member.id(), member.address(), verdict.reason());
        refuse();
    }

    private void onExpected() {
        if (state == ChannelState.GREETING) {
            state = ChannelState.READY;
            connectionNumber = attempt;
            backoffNs = BACKOFF_NS_MIN;
        }
    }

    private void refuse() {
        unreadySinceNs = state.isGreeted() ? clock.nanoTime() : unreadySinceNs;
        state = ChannelState.REFUSED;
        connection.close();
    }

    private void onEnded(String reason) {
        if (state.isGreeted()) {
            LOG.info("Channel to processor {} at {} closed: {}", member.id(), member.address(), reason);
            unreadySinceNs = clock.nanoTime();
        } else {
            LOG.debug("Channel to processor {} at {} did not open: {}", member.id(), member.address(), reason);
        }
        state = ChannelState.IDLE;
        connection = null;
        retryAtNs = clock.nanoTime() + backoffNs;
        backoffNs = Math.min(2 * backoffNs, BACKOFF_NS_MAX);
    }

    boolean isReady() {
        return state.isGreeted() && connection.isOpen();
    }

    /** Whether the processor has been without a connection for {@link #UNREACHABLE_NS}. */
    boolean isUnreachable() {
        return !state.isGreeted() && clock.nanoTime() - unreadySinceNs >= UNREACHABLE_NS;
    }

    /** Whether the processor receives so slowly that it gets separate passes. */
    boolean isLagging() {
        return state == ChannelState.LAGGING;
    }

    /** Records the result of a pass; without effect on a channel that is not ready. */
    void lagging(boolean lags) {
        if (!state.isGreeted()) {
            return;
        }
        if (lags && !isLagging()) {
            LOG.info("Processor {} at {} lags; its shards are sent in separate passes.", member.id(), member.address());
        }
        state = lags ? ChannelState.LAGGING : ChannelState.READY;
    }

    /** Number of the connection; frames sent over an earlier connection may not have arrived. */
    long connectionNumber() {
        return connectionNumber;
    }

    /** Whether the processor is connected and has at most a few frames left to process. */
    boolean hasCaughtUp() {
        return isReady() && connection.hasCaughtUp();
    }

    boolean offer(DirectBuffer buffer, int offset, int length) {
        return isReady() && connection.offer(buffer, offset, length);
    }

    @Override
    public void close() {
        state = ChannelState.CLOSED;
        if (inbox != null) {
            inbox.close();
        }
    }
}
