package io.chimera.dataset.source.xrootd.connection;

import io.chimera.dataset.source.SourceException;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * One request and its answer.
 *
 * <pre>
 * WAITING  -> FILLING    a part of the answer arrives
 * WAITING  -> DEFERRED   the server announces a late answer
 * DEFERRED -> FILLING    the late answer arrives
 * FILLING  -> WAITING    the part is complete, further parts follow
 * WAITING, DEFERRED, FILLING -> DONE        the answer is complete, or the connection ended
 * WAITING, DEFERRED          -> ABANDONED   the time limit ended, or the caller was interrupted
 * </pre>
 *
 * <p>The reader thread moves the state, except to ABANDONED. The reader thread writes to the caller's buffer in FILLING
 * only, and the caller gets the outcome in DONE or ABANDONED only: the buffer belongs to one of both at any time. The
 * stream id of an abandoned exchange stays in use until its answer arrived.
 */
public final class Exchange {
    enum State {
        WAITING,
        DEFERRED,
        FILLING,
        DONE,
        ABANDONED
    }

    private static final Set<State> WITHOUT_PART = EnumSet.of(State.WAITING, State.DEFERRED);
    private static final long NEVER = Long.MIN_VALUE;
    private static final Set<State> UNDER_WAY = EnumSet.of(State.WAITING, State.DEFERRED, State.FILLING);

    private final int streamId;
    private final AnswerBody body;
    private final CompletableFuture<ExchangeOutcome> outcome = new CompletableFuture<>();

    /** Guarded by this object. */
    private State state = State.WAITING;

    /** Time of the request, of the last complete part, or until which a late answer may arrive. */
    private volatile long sinceNs;

    /** Time at which the caller was interrupted while a part arrived; {@link #NEVER} before. */
    private volatile long interruptedNs = NEVER;

    Exchange(int streamId, AnswerBody body, long nowNs) {
        this.streamId = streamId;
        this.body = body;
        this.sinceNs = nowNs;
    }

    int streamId() {
        return streamId;
    }

    AnswerBody body() {
        return body;
    }

    synchronized State state() {
        return state;
    }

    long sinceNs() {
        return sinceNs;
    }

    CompletableFuture<ExchangeOutcome> outcome() {
        return outcome;
    }

    private synchronized boolean move(Set<State> from, State to) {
        boolean isMoving = from.contains(state);
        state = isMoving ? to : state;
        return isMoving;
    }

    /** Returns false for an abandoned exchange: the part is discarded. */
    boolean startFilling() {
        return move(WITHOUT_PART, State.FILLING);
    }

    void awaitNextPart(long nowNs) {
        sinceNs = nowNs;
        move(EnumSet.of(State.FILLING), State.WAITING);
    }

    synchronized void defer(long untilNs) {
        if (move(EnumSet.of(State.WAITING), State.DEFERRED)) {
            sinceNs = untilNs;
        }
    }

    /** Ends the exchange; without effect on an abandoned exchange. */
    void complete(ExchangeOutcome result) {
        if (move(UNDER_WAY, State.DONE)) {
            outcome.complete(result);
        }
    }

    /** Ends the exchange; without effect on an abandoned exchange. */
    void fail(SourceException reason) {
        if (move(UNDER_WAY, State.DONE)) {
            outcome.completeExceptionally(reason);
        }
    }

    /** Returns false while a part is being received, and after the end. Any thread. */
    boolean abandon(SourceException reason) {
        boolean isAbandoned = move(WITHOUT_PART, State.ABANDONED);
        if (isAbandoned) {
            outcome.completeExceptionally(reason);
        }
        return isAbandoned;
    }

    /** Records that the caller waits in vain for the rest of a part. Any thread. */
    void interrupted(long nowNs) {
        interruptedNs = nowNs == NEVER ? nowNs + 1 : nowNs;
    }

    /** Returns whether the caller was interrupted a time ago, and still waits. */
    boolean isInterruptedFor(long timeNs, long nowNs) {
        return interruptedNs != NEVER && nowNs - interruptedNs > timeNs;
    }
}
