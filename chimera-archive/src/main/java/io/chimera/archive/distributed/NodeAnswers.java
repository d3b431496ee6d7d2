package io.chimera.archive.distributed;

import io.chimera.archive.distributed.NodeChoice.Target;
import io.chimera.archive.query.FoundItems;
import io.chimera.common.error.ChimeraException;
import java.util.List;
import java.util.function.Function;

/**
 * Answers of several nodes that are needed together. A node has room for so many; who has a place at one and waits for one at another could
 * wait for somebody who waits for the first. So nobody does: where one node has no room all are given up and asked again a while later. One
 * thread, but for {@link #cancel}.
 *
 * @param <F> of which kind
 */
final class NodeAnswers<F extends FoundItems> implements AutoCloseable {
    /** With the pauses of {@link Peers#awaitRoom} some half a minute. */
    private static final int REFUSALS_MAX = 30;

    private final Peers peers;
    private volatile List<F> asked = List.of();
    private volatile boolean isCancelled;

    /** Nobody is asked yet. */
    NodeAnswers(Peers peers) {
        this.peers = peers;
    }

    /**
     * Asks, and waits until all have taken the question. The answers before are given up.
     *
     * @param asking asks one
     * @return an answer for each. One that still has no room, or cannot be asked, says so when it is read
     */
    List<F> ask(List<Target> targets, Function<Target, F> asking) {
        for (int refusals = 0; ; ) {
            close();
            List<F> all = targets.stream().map(asking).toList();
            asked = all;
            if (isCancelled) {
                cancel(); // who cancelled may not have seen them
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
                // is told once it is read
            }
        }
        return true;
    }

    /** Ends the answers; whoever waits for one waits no longer. Any thread. */
    void cancel() {
        isCancelled = true;
        asked.forEach(FoundItems::cancel);
    }

    /** Whether they were cancelled. Any thread. */
    boolean isCancelled() {
        return isCancelled;
    }

    @Override
    public void close() {
        asked.forEach(FoundItems::close);
        asked = List.of();
    }
}
