package io.chimera.faults.sim;

import java.util.function.Supplier;

/** An invariant that did not hold. */
final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String invariant;

    /**
     * What was seen.
     *
     * @param invariant its name, as docs/guarantees.md lists it
     * @param seen a sentence
     */
    Violation(String invariant, String seen) {
        super(seen);
        this.invariant = invariant;
    }

    /** As {@link #Violation(String, String)}, for what a node itself reported. */
    Violation(String invariant, Throwable seen) {
        super(seen.toString(), seen);
        this.invariant = invariant;
    }

    String invariant() {
        return invariant;
    }

    /** Fails unless the condition holds; what is seen is put into words only then. */
    static void unless(boolean holds, String invariant, Supplier<String> seen) {
        if (!holds) {
            throw new Violation(invariant, seen.get());
        }
    }
}
