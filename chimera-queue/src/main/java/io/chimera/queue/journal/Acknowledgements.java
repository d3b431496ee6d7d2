package io.chimera.queue.journal;

import io.chimera.common.ring.Completion;

/** Whoever tells the senders, once enough journals hold what they sent. The journaler's thread only. */
public interface Acknowledgements {
    /** Whether another one can be held; when not, the journaler takes no slot that wants it. */
    boolean hasRoom();

    /**
     * Holds back a sender's success; called in the order of the sequence numbers.
     *
     * @param seq of the sender's last record in this node's own stream
     * @param completion tells the sender
     */
    void hold(long seq, Completion completion);
}
