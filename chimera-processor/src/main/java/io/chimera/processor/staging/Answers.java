package io.chimera.processor.staging;

import io.chimera.api.ColdPath;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PartId;
import io.chimera.common.wire.Slice;
import io.chimera.processor.pipeline.Sender;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Tells queue nodes which parts are staged (OK) and which are missing (NEED). Answers without credit wait; answers to a
 * closed connection are dropped, because the queue node asks again after it has reconnected. Staging's thread.
 */
final class Answers {
    /**
     * Maximum number of waiting answers: the maximum number of parts. An answer is 40 bytes, so a connection rarely
     * lacks the credit.
     */
    private static final int WAITING_MAX = StagedShards.PARTS_MAX;

    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[PartFrame.ANSWER_LENGTH]);
    private final ArrayDeque<Answer> waiting = new ArrayDeque<>();
    private final long session;

    private record Answer(Sender to, int type, PartId id, Slice slice) {}

    Answers(long session) {
        this.session = session;
    }

    /** Returns whether no more answers can wait; then the frame that causes an answer has to wait. */
    boolean isFull() {
        return waiting.size() >= WAITING_MAX;
    }

    /** Sends an answer at once, or queues the answer. */
    @ColdPath
    void send(Sender to, int type, PartId id, Slice slice) {
        Answer answer = new Answer(to, type, id, slice);
        if (!isFull() && !isSent(answer)) {
            waiting.add(answer);
        }
    }

    /** Sends waiting answers as far as credit permits. */
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

    /** Tries to send an answer; true also when the connection is closed. */
    private boolean isSent(Answer answer) {
        PartFrame.header(frame, 0, answer.type, answer.id, 0, 0, 0, 0);
        answer.slice.put(frame, 0);
        PartFrame.word(frame, 0, 0, session);
        return answer.to.connection().offer(frame, 0, PartFrame.ANSWER_LENGTH)
                || !answer.to.connection().isOpen();
    }
}
