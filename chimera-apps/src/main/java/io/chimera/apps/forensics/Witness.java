package io.chimera.apps.forensics;

import io.chimera.archive.query.Question;

/** An archive that can be asked: that of one monitor, or of several. One thread at a time. */
public interface Witness extends AutoCloseable {
    /** Of its monitor. */
    String name();

    /**
     * Asks.
     *
     * @param question with how many packets are wanted at most
     * @throws io.chimera.common.error.ChimeraException when the answer would not be whole, or there is none
     */
    Statement ask(Question question);

    @Override
    void close();
}
