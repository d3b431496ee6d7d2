package io.chimera.archive.index;

/** A record of the index that is not what was written. It is counted, and its intervals are searched without it. */
final class DamagedRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedRecordException(String message) {
        super(message, null, false, false);
    }
}
