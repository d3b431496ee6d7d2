package io.chimera.faults.sim;

import io.chimera.faults.sim.mutant.Mutant;
import java.io.PrintWriter;
import java.util.function.LongFunction;

/**
 * Runs seeds on the inner side of a {@link MutantLoader}. Public, because the loader creates the object by reflection.
 */
public final class MutantSeeds implements LongFunction<SeedResult> {
    private final Mutant mutant;
    private final PrintWriter out;

    /** Creates the runner for a mutant; an empty name stands for no mutant. The trace is printed to the writer. */
    public MutantSeeds(String mutant, PrintWriter out) {
        this.mutant = mutant.isEmpty() ? null : Mutant.valueOf(mutant);
        this.out = out;
    }

    @Override
    public SeedResult apply(long seed) {
        return new SeedRun(seed, mutant, out).run();
    }
}
