package io.chimera.common.ring;

/**
 * Callback after the journaling of a slot's records with the configured durability. Called by the journaler's thread.
 */
public interface Completion {
    /** Reports success: the configured number of copies is journaled, and the sender may get an acknowledgement. */
    void journaled();

    /**
     * Reports a possible loss of the records: the sender must not get an acknowledgement.
     *
     * @param reason a sentence for the sender
     */
    void failed(String reason);
}
