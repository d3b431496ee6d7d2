package io.chimera.archive.distributed;

import io.chimera.common.error.ChimeraException;

/** An archive node has no room for a question: it answers too many of other nodes. It may have some soon. */
public final class NodeBusyException extends ChimeraException {
    private static final long serialVersionUID = 1L;

    /** It was asked just now. */
    public NodeBusyException() {
        super(
                Category.WARN,
                "it answers too many questions of other nodes, and took none of this one for half a minute");
    }
}
