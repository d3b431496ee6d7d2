package io.chimera.faults.sim.world;

import java.util.function.Supplier;

/** Violation of an invariant. */
public final class Violation extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String invariant;

    /**
     * Creates a violation.
     *
     * @param invariant its name, as listed in docs/guarantees.md
     * @param seen description of the violation
     */
    public Violation(String invariant, String seen) {
        super(seen);
        this.invariant = invariant;
    }

    /** Creates a violation for an error reported by a node. */
    public Violation(String invariant, Throwable seen) {
        super(seen.toString(), seen);
        this.invariant = invariant;
    }

    public String invariant() {
        return invariant;
    }

    /** Throws a violation unless the condition holds; formats the description only for a violation. */
    public static void unless(boolean holds, String invariant, Supplier<String> seen) {
        if (!holds) {
            throw new Violation(invariant, seen.get());
        }
    }
}
