package io.chimera.apps.voip;

/**
 * How calls are written: a point of the metric {@code call}, with both users as text, whose tags say where it was recorded; ahead
 * of the shard it becomes two, one for each user, whose tag is that user.
 */
final class CallText {
    static final String METRIC = "call";

    /** Number of the user, as a field of a call and, of its halves, as the tag {@link #USER}. */
    static final String CALLER = "caller";

    /** See {@link #CALLER}. */
    static final String CALLEE = "callee";

    /** Seconds. */
    static final String DURATION = "duration";

    /** Response code of SIP. */
    static final String CODE = "code";

    static final String USER = "user";
    static final String SCORE = "score";

    private CallText() {}
}
