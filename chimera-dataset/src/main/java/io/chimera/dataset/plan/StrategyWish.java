package io.chimera.dataset.plan;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Strategy that a job names: one for all splits, or a choice by measurements. */
public enum StrategyWish {
    /** No copies are made; copies of earlier jobs are read. */
    STREAM(Strategy.STREAM),
    /** Everything is copied first, then computed from the copies. */
    COPY(Strategy.COPY),
    /** The bytes that the computation reads are copied at the same time. */
    OVERLAP(Strategy.OVERLAP),
    /** The measurements decide, at first and at each border of splits. */
    AUTO(null);

    private final Optional<Strategy> fixed;

    StrategyWish(@Nullable Strategy fixed) {
        this.fixed = Optional.ofNullable(fixed);
    }

    /** Returns the name in definitions and options. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the strategy of all splits; empty if the measurements decide. */
    public Optional<Strategy> fixed() {
        return fixed;
    }
}
