package io.chimera.faults.chaos.intruder;

/** What came of an attempt. */
enum Outcome {
    /** The port turned it away: it closed the connection, or answered that it refuses. */
    REFUSED,
    /** Nothing listened, because the process is down or cut off. */
    UNREACHABLE,
    /** The port did what the intruder wanted. */
    SUCCEEDED
}
