package io.chimera.queue;

import java.util.Optional;

/**
 * Status of a queue node.
 *
 * @param notReady reason why the node has no part in the work; empty when the node is ready
 * @param ring slots of the ring
 * @param journal state and size of the journal
 * @param copiesMissing number of copies currently waived because queue nodes are dead
 * @param alarm condition that an operator must know although the node works; empty without such a condition
 */
public record QueueStatus(
        Optional<String> notReady, RingStatus ring, JournalStatus journal, int copiesMissing, Optional<String> alarm) {
    /**
     * Status of the ring.
     *
     * @param used used slots
     * @param slots all slots
     */
    public record RingStatus(long used, int slots) {}

    /**
     * Status of the journal.
     *
     * @param isJournaling false while the journal is full or its disk refuses
     * @param bytes bytes on disk
     * @param retainedBytes bytes kept only by retention
     */
    public record JournalStatus(boolean isJournaling, long bytes, long retainedBytes) {}
}
