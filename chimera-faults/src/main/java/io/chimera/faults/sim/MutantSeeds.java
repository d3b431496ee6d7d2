package io.chimera.faults.sim;

import java.io.PrintWriter;
import java.util.function.LongFunction;

/** Runs seeds on the inner side of a {@link MutantLoader}, which makes it by reflection: hence it is public. */
public final class MutantSeeds implements LongFunction<SeedResult> {
    private final Mutant mutant;
    private final PrintWriter out;

    /** Seeds with the mutant of that name, or none where it is empty, and where their trace is printed. */
    public MutantSeeds(String mutant, PrintWriter out) {
        this.mutant = mutant.isEmpty() ? null : Mutant.valueOf(mutant);
        this.out = out;
    }

    @Override
    public SeedResult apply(long seed) {
        return new SeedRun(seed, mutant, out).run();
    }
}
