package io.chimera.dataset.source;

/** Reason why a data source did not deliver bytes, with the rule whether another attempt may succeed. */
public enum SourceFault {
    /** The object does not exist: HTTP 404, {@code NoSuchKey}, {@code kXR_NotFound}. */
    NOT_FOUND(false),
    /** The source refuses the credentials, or needs credentials: HTTP 401 and 407, {@code ExpiredToken}. */
    UNAUTHENTICATED(false),
    /** The credentials do not permit the object: HTTP 403, {@code AccessDenied}. */
    FORBIDDEN(false),
    /** The source refuses the time of a signature: the clocks of client and server differ too much. */
    CLOCK_SKEW(false),
    /** The object is not the object that was listed: another length, ETag, version or time of change. */
    CHANGED(false),
    /** The source refuses the range (HTTP 416), or answers a range with other bytes. */
    RANGE_REFUSED(false),
    /** The bytes do not have the checksum that the source declares. */
    CHECKSUM(false),
    /** The redirects lead in a circle, or are too many. */
    REDIRECTS(false),
    /** The operator's list of allowed hosts does not name the host, or a link leads out of the folder of the source. */
    NOT_ALLOWED(false),
    /** The source needs a feature of the protocol that this client does not have. */
    UNSUPPORTED(false),
    /** The answer does not follow the protocol, or its length is not the declared length. */
    BAD_ANSWER(true),
    /** The source asks for a pause: HTTP 429 and 503, {@code SlowDown}, {@code kXR_wait}. */
    BUSY(true),
    /** The source failed: HTTP 500, 502 and 504, {@code kXR_ServerError}. */
    SERVER_FAILED(true),
    /** No connection: refused, not resolved, closed before or within the answer. */
    UNREACHABLE(true),
    /** No byte within the time limit. */
    STALLED(true);

    private final boolean retryable;

    SourceFault(boolean retryable) {
        this.retryable = retryable;
    }

    /**
     * Returns whether the fault may concern the object alone, so that a job can leave its splits out. Other faults
     * concern the source, the network or the definition of the job.
     */
    public boolean mayConcernObjectAlone() {
        return switch (this) {
            case NOT_FOUND, FORBIDDEN, CHANGED, RANGE_REFUSED, CHECKSUM, BAD_ANSWER -> true;
            case UNAUTHENTICATED,
                    CLOCK_SKEW,
                    REDIRECTS,
                    NOT_ALLOWED,
                    UNSUPPORTED,
                    BUSY,
                    SERVER_FAILED,
                    UNREACHABLE,
                    STALLED -> false;
        };
    }

    /** Returns whether the same request may succeed later, at this source. */
    public boolean isRetryable() {
        return retryable;
    }
}
