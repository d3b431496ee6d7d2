package io.chimera.dataset.source.xrootd.connection;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.xrootd.wire.AnswerException;
import io.chimera.dataset.source.xrootd.wire.ServerAddress;
import io.chimera.dataset.source.xrootd.wire.XrootdRequests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection after its login. Any number of threads send requests at the same time; the reader thread of the
 * connection receives the answers in the server's order and writes each one straight to its destination. {@link #check}
 * enforces the time limits.
 *
 * <p>States: open, closed. The first of these events closes a connection, and its reason is the reason of all requests
 * under way: the end of the socket, an answer outside the protocol, a time limit, {@link #close}.
 */
public final class XrootdConnection {
    /** A connection with more requests without an answer is of no use. */
    private static final int ABANDONED_MAX = 16;

    /** Time for the rest of a part whose caller was interrupted; afterwards the connection is closed. */
    private static final Duration INTERRUPTED_MAX = Duration.ofSeconds(1);

    private static final String INTERRUPTED = "the reading thread was interrupted";

    private final ServerAddress server;
    private final boolean isManager;
    private final LinkOutput link;
    private final LinkInput in;
    private final XrootdLimits limits;
    private final Clock clock;
    private final StreamTable streams;
    private final AnswerReception answers;
    private final ReentrantLock writing = new ReentrantLock();
    private final AtomicInteger openFiles = new AtomicInteger();
    private volatile long lastUseNs;

    XrootdConnection(Handshake.Session session, ServerAddress server, XrootdLimits limits, Clock clock) {
        this.server = server;
        this.isManager = session.isManager();
        this.link = session.link();
        this.in = session.in();
        this.limits = limits;
        this.clock = clock;
        this.streams = new StreamTable(limits.requestsMax());
        this.answers = new AnswerReception(in, streams, limits.late(), clock);
        this.lastUseNs = clock.nanoTime();
    }

    /** Starts the reader thread. */
    void start() {
        Thread reader = new Thread(this::readAnswers, "xrootd-" + server);
        reader.setDaemon(true);
        reader.start();
    }

    /** Returns the server. */
    public ServerAddress server() {
        return server;
    }

    /** Returns whether the server redirects to data servers. */
    public boolean isManager() {
        return isManager;
    }

    /** Returns whether requests may be sent. */
    public boolean isOpen() {
        return !streams.isClosed();
    }

    /** Returns the number of requests under way. */
    public int load() {
        return streams.size();
    }

    /** Counts an open file; a connection with open files is not idle. */
    public void addOpenFile() {
        openFiles.incrementAndGet();
    }

    /** Stops counting an open file. */
    public void removeOpenFile() {
        openFiles.decrementAndGet();
    }

    /**
     * Sends a request and waits for the end of the exchange.
     *
     * @param request the request, with an array; this method sets the stream id
     * @param body receives the answer; belongs to the connection until the method returns
     * @throws SourceException UNREACHABLE, STALLED or BAD_ANSWER
     */
    public ExchangeOutcome exchange(ByteBuffer request, AnswerBody body) throws SourceException {
        return await(send(request, body));
    }

    /**
     * Sends a request. Waits while too many requests are under way.
     *
     * @param request the request, with an array; this method sets the stream id
     * @param body receives the answer; belongs to the connection until {@link #await} returns
     * @throws SourceException when the connection is closed
     */
    public Exchange send(ByteBuffer request, AnswerBody body) throws SourceException {
        Exchange exchange = register(body);
        XrootdRequests.setStreamId(request, exchange.streamId());
        lastUseNs = exchange.sinceNs();
        writing.lock();
        try {
            link.write(request);
        } catch (IOException e) {
            lose(failure(SourceFault.UNREACHABLE, "a request was not sent", e));
        } finally {
            writing.unlock();
        }
        return exchange;
    }

    /** Adds an exchange without a request. */
    Exchange register(AnswerBody body) throws SourceException {
        return streams.add(body, clock.nanoTime());
    }

    /**
     * Waits for the end of an exchange. An interrupt of the thread ends the wait with UNREACHABLE: at once, or while a
     * part arrives in the caller's buffer after at most a second, together with the connection.
     *
     * @param exchange an exchange of this connection
     * @throws SourceException UNREACHABLE, STALLED or BAD_ANSWER
     */
    public ExchangeOutcome await(Exchange exchange) throws SourceException {
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return exchange.outcome().get();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                    if (!exchange.abandon(failure(SourceFault.UNREACHABLE, INTERRUPTED, null))) {
                        exchange.interrupted(clock.nanoTime());
                    }
                }
            }
        } catch (ExecutionException | CancellationException e) {
            throw copy(e.getCause());
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns the failure of an interrupted thread that waited for the call of another thread. */
    static SourceException interruption() {
        return new SourceException(SourceFault.UNREACHABLE, INTERRUPTED);
    }

    /** The same failure may end several calls; each call throws an exception of its own. */
    static SourceException copy(@Nullable Throwable failure) {
        if (failure instanceof SourceException known) {
            return new SourceException(known.fault(), text(known), known.retryAfter(), known);
        }
        throw new IllegalStateException("a shared call failed", failure);
    }

    private static String text(Exception e) {
        String message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : message;
    }

    /** Closes the connection; requests under way fail with UNREACHABLE. */
    public void close() {
        lose(failure(SourceFault.UNREACHABLE, "the client closed the connection", null));
    }

    /**
     * Enforces the time limits: abandons requests without an answer, and closes a silent connection. Does not block.
     *
     * @param nowNs time by the clock
     */
    void check(long nowNs) {
        long silentSinceNs = nowNs;
        int abandoned = 0;
        for (Exchange exchange : streams.snapshot()) {
            switch (exchange.state()) {
                case WAITING -> {
                    silentSinceNs = Math.min(silentSinceNs, exchange.sinceNs());
                    if (nowNs - exchange.sinceNs() > limits.answer().toNanos()) {
                        exchange.abandon(late(limits.answer()));
                    }
                }
                case FILLING -> {
                    silentSinceNs = Math.min(silentSinceNs, exchange.sinceNs());
                    if (exchange.isInterruptedFor(INTERRUPTED_MAX.toNanos(), nowNs)) {
                        lose(failure(SourceFault.UNREACHABLE, INTERRUPTED, null));
                    }
                }
                case DEFERRED -> {
                    if (nowNs - exchange.sinceNs() > 0) {
                        exchange.abandon(failure(
                                SourceFault.STALLED,
                                "the announced answer did not arrive; read the server's log",
                                null));
                    }
                }
                case ABANDONED -> abandoned++;
                case DONE -> {}
            }
        }
        boolean isSilent = nowNs - Math.max(silentSinceNs, in.lastByteNs())
                > limits.stall().toNanos();
        if ((silentSinceNs < nowNs && isSilent) || abandoned > ABANDONED_MAX) {
            lose(late(limits.stall()));
        }
    }

    /** Keeps the connection from being idle; returns whether requests may be sent. */
    boolean touch() {
        lastUseNs = clock.nanoTime();
        return isOpen();
    }

    /** Returns whether the connection had neither requests nor open files for a time. */
    boolean isIdle(long nowNs, Duration time) {
        return streams.size() == 0 && openFiles.get() == 0 && nowNs - lastUseNs > time.toNanos();
    }

    private SourceException late(Duration limit) {
        return failure(
                SourceFault.STALLED,
                "no answer for " + limit.toMillis() + " ms; check the server's load and the network",
                null);
    }

    private SourceException failure(SourceFault fault, String defect, @Nullable Throwable cause) {
        return new SourceException(fault, "server " + server + ": " + defect, Duration.ZERO, cause);
    }

    /** Receives answers until the connection ends, and then ends all exchanges. */
    void readAnswers() {
        SourceException reason = failure(SourceFault.UNREACHABLE, "the reader of the connection failed", null);
        try {
            while (true) {
                answers.readNext();
            }
        } catch (AnswerException e) {
            reason = failure(SourceFault.BAD_ANSWER, e.getMessage() + "; check that the server is an XRootD server", e);
        } catch (IOException e) {
            reason = failure(SourceFault.UNREACHABLE, "the connection ended: " + text(e), e);
        } finally {
            lose(reason);
            streams.failAll();
        }
    }

    /** Closes the socket, which ends the reader thread; that thread then ends all exchanges. */
    private void lose(SourceException reason) {
        streams.close(reason);
        link.close();
    }
}
