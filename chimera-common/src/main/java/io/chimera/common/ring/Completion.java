package io.chimera.common.ring;

/** Whoever waits until a slot's records are journaled as durably as configured. Called by the journaler's thread. */
public interface Completion {
    /** The records are journaled in as many copies as configured; the sender may be told. */
    void journaled();

    /**
     * The records may be lost: the sender must not be told of success.
     *
     * @param reason a sentence for the sender
     */
    void failed(String reason);
}
