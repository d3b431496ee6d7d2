package io.chimera.apps.voip;

/**
 * How calls are written: a point of the metric {@code call}, with both users as text, whose tags say where it was recorded; and scores,
 * each with its user as tag.
 */
final class CallText {
    static final String METRIC = "call";

    /** Number of the user who called. */
    static final String CALLER = "caller";

    /** Number of the user who was called. */
    static final String CALLEE = "callee";

    /** Seconds. */
    static final String DURATION = "duration";

    /** Response code of SIP. */
    static final String CODE = "code";

    static final String USER = "user";
    static final String SCORE = "score";

    private CallText() {}
}
