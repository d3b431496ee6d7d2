package io.chimera.archive.server.volume;

import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.FoundItems;
import io.chimera.common.cluster.archive.ArchiveKind;

/** Target of archive queries. Any thread. */
@FunctionalInterface
public interface Askable {
    /**
     * Asks a question.
     *
     * @return the matching items; to be closed
     * @throws io.chimera.common.error.ChimeraException when the question cannot be parsed
     */
    FoundItems ask(Question question);

    /**
     * Asks a question on behalf of another archive node. The other node does not know the local streams, so a missing
     * stream means no matches instead of an error.
     *
     * @param kind kind of the items. Points include rows that meet the filter only with another value
     * @throws io.chimera.common.error.ChimeraException when the question cannot be parsed
     */
    default FoundItems askForPeer(Question question, ArchiveKind kind) {
        return ask(question);
    }
}
