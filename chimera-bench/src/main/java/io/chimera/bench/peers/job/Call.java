package io.chimera.bench.peers.job;

/** One call, as JVM engines represent it. Immutable. */
public final class Call {
    /** Phone number of the caller. */
    public final String caller;

    /** Phone number of the callee. */
    public final String callee;

    /** Hash of the caller's number. */
    public final long callerHash;

    /** Hash of the callee's number. */
    public final long calleeHash;

    /** Duration in seconds. */
    public final long durationS;

    /** Response code. */
    public final long code;

    /** Time in nanoseconds since 1970. */
    public final long timeNs;

    /** Creates a call. */
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
