package io.chimera.archive.index;

/**
 * A record of the index that is not what was written; it is counted, and its intervals are searched without it. Or a message of another
 * node that is none.
 */
public final class DamagedRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Says what is wrong. */
    public DamagedRecordException(String message) {
        super(message, null, false, false);
    }
}
