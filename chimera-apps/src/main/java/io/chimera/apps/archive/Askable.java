package io.chimera.apps.archive;

import io.chimera.archive.query.FoundItems;
import io.chimera.archive.query.Question;
import io.chimera.common.cluster.ArchiveKind;

/** What questions are put to. Any thread. */
@FunctionalInterface
public interface Askable {
    /**
     * Asks.
     *
     * @throws io.chimera.common.error.ChimeraException when the question is not understood
     */
    FoundItems ask(Question question);

    /**
     * Asks for another archive node, which does not know the streams here: one that is not there holds nothing.
     *
     * @param kind what is asked for. Of points there are also those that only another value lets meet the filter
     * @throws io.chimera.common.error.ChimeraException when the question is not understood
     */
    default FoundItems askForPeer(Question question, ArchiveKind kind) {
        return ask(question);
    }
}
