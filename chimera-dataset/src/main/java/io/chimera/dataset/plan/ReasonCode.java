package io.chimera.dataset.plan;

/** Kinds of reasons in an {@link Advice}. */
public enum ReasonCode {
    /** Time, cost and bottleneck of a strategy. */
    PREDICTION,
    /** The choice is the fastest strategy that keeps the limits. */
    FASTEST,
    /** The choice is the cheapest strategy that keeps the limits. */
    CHEAPEST,
    /** No strategy keeps the limits; the choice exceeds the limits least. */
    LEAST_OVER_LIMIT,
    /** No data nodes: only {@link Strategy#STREAM} is possible. */
    NO_DATA_NODES,
    /** The choice exceeds the time limit. */
    TIME_LIMIT_EXCEEDED,
    /** The choice exceeds the cost limit. */
    COST_LIMIT_EXCEEDED,
    /** Bytes, rate and time of a stage of the choice. */
    STAGE,
    /** Times that the job loses once, at its start. */
    START,
    /** Computation starves the reception of the workers. */
    STARVATION,
    /** A core of each worker only receives. */
    RECEIVING_CORE,
    /** Ranges under way from a source. */
    READ_AHEAD,
    /** The memory for ranges under way is too small for the round trip. */
    READ_AHEAD_TOO_SMALL,
    /** Part of the data set has a copy already. */
    ALREADY_COPIED,
    /** Expected repeated work after failures. */
    FAILURES,
    /** Gain of each addition. */
    ADDITIONS,
    /** A source gives more with more connections than were sampled. */
    RATE_STILL_RISES,
    /** A rate was not measured, and counts as no limit. */
    NOT_MEASURED,
    /** The job changes its strategy. */
    CHANGED,
    /** Another strategy is better, but not clearly. */
    STAYED_CLOSE,
    /** Another strategy is clearly better, but the last change is too recent. */
    STAYED_RECENT
}
