package io.chimera.faults.chaos.intruder;

/** Outcome of an attempt. */
enum Outcome {
    /** The port refused: closed the connection, or answered with an error. */
    REFUSED,
    /** No port was listening, because the process is down or disconnected. */
    UNREACHABLE,
    /** The attack succeeded. */
    SUCCEEDED
}
