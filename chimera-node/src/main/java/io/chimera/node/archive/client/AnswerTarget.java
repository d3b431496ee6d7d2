package io.chimera.node.archive.client;

import java.io.IOException;
import java.io.OutputStream;

/** Output of an answer. Opened after the question is accepted, so that a refused question creates no file. */
public interface AnswerTarget {
    /**
     * Opens the output. Truncates an existing file.
     *
     * @throws IOException when the output cannot be opened
     */
    OutputStream open() throws IOException;
}
