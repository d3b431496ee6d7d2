package io.chimera.bench.peers.job;

/** One call, as an engine on the JVM has it. Immutable. */
public final class Call {
    /** Number of the user who called. */
    public final String caller;

    /** Number of the user who was called. */
    public final String callee;

    /** Seconds. */
    public final long durationS;

    /** Response code. */
    public final long code;

    /** Nanoseconds since 1970. */
    public final long timeNs;

    /** A call. */
    public Call(String caller, String callee, long durationS, long code, long timeNs) {
        this.caller = caller;
        this.callee = callee;
        this.durationS = durationS;
        this.code = code;
        this.timeNs = timeNs;
    }
}
