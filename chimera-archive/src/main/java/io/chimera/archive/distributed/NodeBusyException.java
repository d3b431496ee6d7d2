package io.chimera.archive.distributed;

import io.chimera.common.error.ChimeraException;

/** Thrown when an archive node has no free place for a query of another node. A retry may succeed soon. */
public final class NodeBusyException extends ChimeraException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception. */
    public NodeBusyException() {
        super(Category.WARN, "too many queries from other nodes; no query accepted for half a minute");
    }
}
