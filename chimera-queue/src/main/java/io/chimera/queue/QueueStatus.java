package io.chimera.queue;

import java.util.Optional;

/**
 * What a queue node is doing.
 *
 * @param notReady why it takes no part in the work; empty when it does
 * @param isJournaling false while the journal takes nothing: it is full, or its disk refuses
 * @param ringUsed slots of the ring in use
 * @param ringSlots slots of the ring
 * @param journalBytes bytes of the journal on disk
 * @param retainedBytes what of it only retention keeps
 * @param copiesMissing journals that are done without because queue nodes are missing
 * @param alarm what the operator must know although the node works; empty when all is well
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
