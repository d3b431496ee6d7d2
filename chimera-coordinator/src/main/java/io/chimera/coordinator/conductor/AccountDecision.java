package io.chimera.coordinator.conductor;

/** Decision of an operator about a cycle with unaccounted points. */
public enum AccountDecision {
    /** Show the accounts only. */
    NONE,
    /** Process the cycle again from the journals and write all its rows again. */
    REPLAY,
    /** Raise the low-water mark past the cycle; the points stay unaccounted. */
    ACCEPT
}
