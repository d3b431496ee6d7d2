package io.chimera.queue.journal.append;

import io.chimera.common.ring.Completion;

/** Acknowledges senders once enough journals hold their points. Called only by the journaler's thread. */
public interface Acknowledgements {
    /** Whether another completion fits. Without room, the journaler leaves slots with a completion in the ring. */
    boolean hasRoom();

    /**
     * Holds the acknowledgement of a sender back. Calls come in the order of sequence numbers.
     *
     * @param seq sequence number of the sender's last record in this node's own stream
     * @param completion acknowledges the sender
     */
    void hold(long seq, Completion completion);
}
