package io.chimera.apps.voip;

/**
 * Names in the points of calls and scores. A call is a point of the metric {@code call} with both users as text fields;
 * its tags name the recording switch. A score has its user as a tag.
 */
final class CallText {
    static final String METRIC = "call";

    /** Number of the calling user. */
    static final String CALLER = "caller";

    /** Number of the called user. */
    static final String CALLEE = "callee";

    /** Duration in seconds. */
    static final String DURATION = "duration";

    /** SIP response code. */
    static final String CODE = "code";

    static final String USER = "user";
    static final String SCORE = "score";

    private CallText() {}
}
