package io.chimera.coordinator;

/** Decision of an operator about a cycle whose accounts do not add up. */
public enum AccountDecision {
    /** Only show the accounts. */
    NONE,
    /** Process the cycle again from the journals: its rows are written whole once more. */
    REPLAY,
    /** Raise the low-water mark over the cycle; the points stay unaccounted. */
    ACCEPT
}
