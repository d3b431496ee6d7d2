package io.chimera.faults.sim;

/** TODO. */
enum Mutant {
    APPENDING_STORE,
    STREAM_CONTINUED
}
