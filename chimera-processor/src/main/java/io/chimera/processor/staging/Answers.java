package io.chimera.processor.staging;

import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.Slice;
import io.chimera.processor.Sender;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Tells queue nodes which parts are here (OK) and which are missing (NEED). What a connection has no credit for waits; what
 * is meant for one that is gone is dropped, for its queue node asks anew when it is back. Staging's thread.
 */
final class Answers {
    /** As many as there may be parts; an answer is 40 bytes, so a connection without credit for it is a rare thing. */
    private static final int WAITING_MAX = StagedShards.PARTS_MAX;

    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[PartFrame.ANSWER_LENGTH]);
    private final ArrayDeque<Answer> waiting = new ArrayDeque<>();
    private final long session;

    private record Answer(Sender to, int type, long cycle, int shard, int part, Slice slice) {}

    Answers(long session) {
        this.session = session;
    }

    /** Whether no more answers can wait: whoever would cause one has to wait itself. */
    boolean isFull() {
        return waiting.size() >= WAITING_MAX;
    }

    /** Sends an answer now or later. */
    void send(Sender to, int type, StagedShard shard, int part) {
        Answer answer = new Answer(to, type, shard.cycle(), shard.shard(), part, shard.slice());
        if (!isFull() && !isSent(answer)) {
            waiting.add(answer);
        }
    }

    /** Sends what waits and can leave. */
    int sendWaiting() {
        if (waiting.isEmpty()) {
            return 0;
        }
        int sent = 0;
        for (Iterator<Answer> answers = waiting.iterator(); answers.hasNext(); ) {
            if (isSent(answers.next())) {
                answers.remove();
                sent++;
            }
        }
        return sent;
    }

    /** Sends an answer; true too when there is nobody any more to send it to. */
    private boolean isSent(Answer answer) {
        PartFrame.header(frame, 0, answer.type, answer.cycle, answer.part, answer.shard, 0, 0, 0, 0);
        answer.slice.put(frame, 0);
        PartFrame.word(frame, 0, 0, session);
        return answer.to.connection().offer(frame, 0, PartFrame.ANSWER_LENGTH)
                || !answer.to.connection().isOpen();
    }
}
