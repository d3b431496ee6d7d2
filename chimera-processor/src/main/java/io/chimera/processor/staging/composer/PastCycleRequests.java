package io.chimera.processor.staging.composer;

import io.chimera.common.cluster.CycleTime;
import io.chimera.common.wire.PastFrame;
import io.chimera.processor.staging.warehouse.KeptEntries;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/**
 * Exchange between a composer and staging about past cycles: the composer requests past cycles, staging talks to the
 * queue nodes and stages the received data. One cycle is requested at a time.
 */
public final class PastCycleRequests {
    /**
     * Capacity of the queues. One request is open at a time; a late answer to an earlier request may be queued as well.
     */
    private static final int CAPACITY = 4;

    /** No cycle needs room. */
    private static final long NOBODY = Long.MAX_VALUE;

    private final OneToOneConcurrentArrayQueue<Ask> asks = new OneToOneConcurrentArrayQueue<>(CAPACITY);
    private final OneToOneConcurrentArrayQueue<Answer> answers = new OneToOneConcurrentArrayQueue<>(CAPACITY);
    private final OneToOneConcurrentArrayQueue<Answer> used = new OneToOneConcurrentArrayQueue<>(2 * CAPACITY);
    private final AtomicLong progress = new AtomicLong();
    private volatile long roomFor = NOBODY;
    private volatile Settled settled = Settled.NONE;

    /** Creates a desk without requests. */
    public PastCycleRequests() {}

    /**
     * Request of a composer.
     *
     * @param queues sessions of the queue nodes to ask, one per journal group
     * @param request request for a past cycle
     * @param target number of the cycle that waits for the past cycle
     */
    public record Ask(List<Long> queues, PastFrame.Request request, long target) {
        /** Copies the sessions. */
        public Ask {
            queues = List.copyOf(queues);
        }
    }

    /** Outcome of a request. */
    public enum Outcome {
        /** A cycle is staged whole. */
        WHOLE,
        /**
         * The queue nodes send no cycle: cycles before the named cycle are older than the horizon, and a queue node
         * lacks the named cycle.
         */
        NONE,
        /** Parts of the cycle are missing: their journal group was not asked, or its queue node lacks the cycle. */
        INCOMPLETE,
        /** The frames were broken, or there is no channel to a queue node. */
        FAILED,
        /** The cycle did not fit into memory. */
        FULL
    }

    /**
     * Answer to a request.
     *
     * @param request number of the request
     * @param outcome outcome of the request
     * @param cycle number of the cycle
     * @param time time of the cycle; 0 without a cycle
     * @param parts kept entries of the cycle, by part; to be released
     * @param failed sessions of the queue nodes to replace in the next request
     */
    public record Answer(
            int request, Outcome outcome, long cycle, CycleTime time, List<KeptEntries> parts, List<Long> failed) {}

    /** Queue nodes whose answer to a request is complete. */
    private record Settled(int request, Set<Long> sessions) {
        static final Settled NONE = new Settled(0, Set.of());
    }

    // the composer's side

    /** Requests a cycle and replaces an earlier request; false while staging has not read the earlier requests. */
    boolean ask(Ask ask) {
        return asks.offer(ask);
    }

    /** Polls the next answer; null if absent. */
    Answer answer() {
        return answers.poll();
    }

    /**
     * Releases the entries of an answer. The queue always has room, because there are never more entries than answers.
     */
    void release(Answer answer) {
        if (!answer.parts().isEmpty() && !used.offer(answer)) {
            throw new IllegalStateException("The queue of released past cycles is full.");
        }
    }

    /** Returns a number that grows with every frame of a past cycle. */
    long progress() {
        return progress.get();
    }

    /** Returns the sessions of the queue nodes whose answer to a request is complete. */
    Set<Long> settled(int request) {
        Settled newest = settled;
        return newest.request == request ? newest.sessions : Set.of();
    }

    /** Asks staging to drop a cycle newer than the given cycle. */
    void makeRoomFor(long cycle) {
        roomFor = cycle;
    }

    // staging's side

    /** Polls the next request; null if absent. */
    public Ask asked() {
        return asks.poll();
    }

    /** Answers a request; false while the composer has not read the earlier answers. */
    public boolean answer(Answer answer) {
        return answers.offer(answer);
    }

    /** Polls the next answer released by the composer; null if absent. */
    public Answer released() {
        return used.poll();
    }

    /** Records a received frame of a past cycle. */
    public void frameCame() {
        progress.incrementAndGet();
    }

    /** Records that a queue node's answer to a request is complete. */
    public void settle(int request, long session) {
        Set<Long> sessions = new HashSet<>(settled(request));
        sessions.add(session);
        settled = new Settled(request, Set.copyOf(sessions));
    }

    /** Returns and clears the cycle that the composer needs room for; {@link Long#MAX_VALUE} for none. */
    public long takeRoomFor() {
        long cycle = roomFor;
        if (cycle != NOBODY) {
            roomFor = NOBODY;
        }
        return cycle;
    }
}
