package io.chimera.archive.index.record;

/**
 * Damaged record of the index, counted by searches; its intervals are searched without the record. Also an invalid
 * message from another node.
 */
public final class DamagedRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Creates the exception with the reason. */
    public DamagedRecordException(String message) {
        super(message, null, false, false);
    }
}
