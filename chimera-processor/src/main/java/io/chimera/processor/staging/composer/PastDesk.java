package io.chimera.processor.staging.composer;

import io.chimera.common.cluster.CycleTime;
import io.chimera.common.wire.PastFrame;
import io.chimera.processor.staging.warehouse.KeptEntries;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/**
 * Where a composer and staging meet: staging talks to the queue nodes and stages what they send, the composer says which past
 * cycle it needs. One cycle at a time is asked for.
 */
public final class PastDesk {
    /** One is asked for at a time; an answer that comes too late may lie beside it. */
    private static final int CAPACITY = 4;

    /** Nobody needs room. */
    private static final long NOBODY = Long.MAX_VALUE;

    private final OneToOneConcurrentArrayQueue<Ask> asks = new OneToOneConcurrentArrayQueue<>(CAPACITY);
    private final OneToOneConcurrentArrayQueue<Answer> answers = new OneToOneConcurrentArrayQueue<>(CAPACITY);
    private final OneToOneConcurrentArrayQueue<Answer> used = new OneToOneConcurrentArrayQueue<>(2 * CAPACITY);
    private final AtomicLong progress = new AtomicLong();
    private volatile long roomFor = NOBODY;

    /** A desk with nothing on it. */
    public PastDesk() {}

    /**
     * What a composer wants.
     *
     * @param queue session of the queue node that is asked
     * @param request what is asked for
     * @param target number of the cycle that waits for it
     */
    public record Ask(long queue, PastFrame.Request request, long target) {}

    /** What came of it. */
    public enum Outcome {
        /** A cycle is staged whole. */
        WHOLE,
        /** The queue node has nothing to send but for the cycle named, which it does not have either. */
        NONE,
        /** The frames were broken, or there is no channel to the queue node. */
        FAILED,
        /** There was no room for it. */
        FULL
    }

    /**
     * What came of it.
     *
     * @param request number of the request
     * @param outcome what it is
     * @param cycle number of the cycle
     * @param time its time; 0 when there is none
     * @param parts what is kept of it, by part; has to be brought back
     */
    public record Answer(int request, Outcome outcome, long cycle, CycleTime time, List<KeptEntries> parts) {}

    // the composer's side

    /** Asks; replaces what was asked for before. False when staging has not heard that yet. */
    boolean ask(Ask ask) {
        return asks.offer(ask);
    }

    /** The next answer; null when there is none. */
    Answer answer() {
        return answers.poll();
    }

    /** Brings back what an answer holds. There is room, for there is no more of it than answers. */
    void release(Answer answer) {
        if (!answer.parts().isEmpty() && !used.offer(answer)) {
            throw new IllegalStateException("Staging does not take back past cycles.");
        }
    }

    /** Grows with every frame of a past cycle. */
    long progress() {
        return progress.get();
    }

    /** Asks staging to drop something of a newer cycle than this. */
    void makeRoomFor(long cycle) {
        roomFor = cycle;
    }

    // staging's side

    /** What the composer wants; null when it wants nothing new. */
    public Ask asked() {
        return asks.poll();
    }

    /** Answers; false when the composer has not taken the answers before. */
    public boolean answer(Answer answer) {
        return answers.offer(answer);
    }

    /** What the composer is done with; null when there is none. */
    public Answer released() {
        return used.poll();
    }

    /** A frame came. */
    public void frameCame() {
        progress.incrementAndGet();
    }

    /** The cycle that the composer needs room for; asked once. {@link Long#MAX_VALUE} when there is none. */
    public long takeRoomFor() {
        long cycle = roomFor;
        if (cycle != NOBODY) {
            roomFor = NOBODY;
        }
        return cycle;
    }
}
