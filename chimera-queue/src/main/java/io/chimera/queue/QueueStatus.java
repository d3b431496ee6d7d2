package io.chimera.queue;

import java.util.Optional;

/**
 * Status of a queue node.
 *
 * @param notReady reason why the node has no part in the work; empty when the node is ready
 * @param isJournaling false while the journal is full or its disk refuses
 * @param ringUsed used slots of the ring
 * @param ringSlots slots of the ring
 * @param journalBytes bytes of the journal on disk
 * @param retainedBytes bytes of the journal kept only by retention
 * @param copiesMissing number of copies currently waived because queue nodes are missing
 * @param alarm condition that an operator must know although the node works; empty without such a condition
 */
public record QueueStatus(
        Optional<String> notReady,
        boolean isJournaling,
        long ringUsed,
        int ringSlots,
        long journalBytes,
        long retainedBytes,
        int copiesMissing,
        Optional<String> alarm) {}
