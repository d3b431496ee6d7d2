package io.chimera.node.watch;

import io.chimera.common.error.ChimeraException;
import java.io.IOException;

/** A node does not answer at its address: its process has ended or hangs, or the address cannot be reached. */
final class NoAnswerException extends ChimeraException {
    private static final long serialVersionUID = 1L;

    NoAnswerException(String message, IOException cause) {
        super(Category.ERROR, message, cause);
    }
}
