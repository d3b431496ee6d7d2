package io.chimera.apps.node.archive;

import java.io.IOException;
import java.io.OutputStream;

/** Where an answer is written; opened once the question was taken, so that one that is refused costs no file. */
interface AnswerTarget {
    /**
     * Opens it; a file is made anew.
     *
     * @throws IOException when it cannot be written
     */
    OutputStream open() throws IOException;
}
