package io.chimera.archive.distributed;

import io.chimera.archive.distributed.NodeChoice.Target;
import io.chimera.archive.query.answer.FoundItems;
import io.chimera.common.error.ChimeraException;
import java.util.List;
import java.util.function.Function;

/**
 * Answers of several nodes needed at the same time. Each node has a limited number of places. Holding a place at one
 * node while waiting for a place at another could deadlock with other queries; if one node has no free place, all
 * answers are therefore closed and requested again after a pause. Single-threaded, except {@link #cancel}.
 *
 * @param <F> kind of the answers
 */
final class NodeAnswers<F extends FoundItems> implements AutoCloseable {
    /** Maximum retries; about half a minute with the pauses of {@link Peers#awaitRoom}. */
    private static final int REFUSALS_MAX = 30;

    private final Peers peers;
    private volatile List<F> asked = List.of();
    private volatile boolean isCancelled;

    /** Creates an instance without open answers. */
    NodeAnswers(Peers peers) {
        this.peers = peers;
    }

    /**
     * Sends the questions and waits until all nodes have accepted them. Closes the previous answers.
     *
     * @param asking sends the question to one node
     * @return one answer per node. An answer of a busy or unreachable node fails when it is read
     */
    List<F> ask(List<Target> targets, Function<Target, F> asking) {
        for (int refusals = 0; ; ) {
            close();
            List<F> all = targets.stream().map(asking).toList();
            asked = all;
            if (isCancelled) {
                cancel(); // a concurrent cancel may have missed the new answers
            }
            if (areTaken(all) || ++refusals > REFUSALS_MAX) {
                return all;
            }
            close();
            peers.awaitRoom(refusals);
        }
    }

    private boolean areTaken(List<F> all) {
        for (F answer : all) {
            try {
                answer.prepare();
            } catch (NodeBusyException e) {
                return isCancelled;
            } catch (ChimeraException e) {
                // reported when the answer is read
            }
        }
        return true;
    }

    /** Ends the answers and wakes waiting readers. Any thread. */
    void cancel() {
        isCancelled = true;
        asked.forEach(FoundItems::cancel);
    }

    /** Returns true after a cancellation. Any thread. */
    boolean isCancelled() {
        return isCancelled;
    }

    @Override
    public void close() {
        asked.forEach(FoundItems::close);
        asked = List.of();
    }
}
