package io.chimera.bench.peers.job;

/** One call, as an engine on the JVM has it. Immutable. */
public final class Call {
    /** Number of the user who called. */
    public final String caller;

    /** Number of the user who was called. */
    public final String callee;

    /** Hash of the caller's number. */
    public final long callerHash;

    /** Hash of the callee's number. */
    public final long calleeHash;

    /** Seconds. */
    public final long durationS;

    /** Response code. */
    public final long code;

    /** Nanoseconds since 1970. */
    public final long timeNs;

    /** A call. */
    public Call(
            String caller, String callee, long callerHash, long calleeHash, long durationS, long code, long timeNs) {
        this.caller = caller;
        this.callee = callee;
        this.callerHash = callerHash;
        this.calleeHash = calleeHash;
        this.durationS = durationS;
        this.code = code;
        this.timeNs = timeNs;
    }
}
