package io.chimera.apps.forensics;

import io.chimera.archive.query.Question;

/** Archive of one or several monitors. One thread at a time. */
public interface Witness extends AutoCloseable {
    /** Returns the name of the monitor. */
    String name();

    /**
     * Asks a question.
     *
     * @param question question with a limit of its packets
     * @throws io.chimera.common.error.ChimeraException when the archive cannot answer, or the answer would be
     *     incomplete
     */
    Statement ask(Question question);

    @Override
    void close();
}
