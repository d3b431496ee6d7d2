package io.chimera.faults.sim;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code chimera sim}. */
@Command(name = "sim", description = "Simulates clusters of real nodes under faults, one per seed.")
public final class SimCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--seeds", description = "How many clusters (default: ${DEFAULT-VALUE}).", defaultValue = "1000")
    private int seeds;

    @Option(names = "--seed", description = "The first seed (default: ${DEFAULT-VALUE}).", defaultValue = "1")
    private long seed;

    @Option(names = "--trace", description = "Prints all events.")
    private boolean trace;

    /** For picocli. */
    public SimCommand() {}

    @Override
    public Integer call() {
        System.setProperty("chimera.log.level", System.getProperty("chimera.log.level", "OFF"));
        PrintWriter out = spec.commandLine().getOut();
        long begun = System.nanoTime();
        int bad = 0;
        for (long i = seed; i < seed + seeds; i++) {
            SeedResult result = new SeedRun(i, null, trace ? out : null).run();
            if (!result.isSound()) {
                bad++;
                out.println(result);
            }
            out.flush();
        }
        out.println(bad + " bad of " + seeds + " in " + (System.nanoTime() - begun) / 1_000_000 + " ms");
        out.flush();
        return bad == 0 ? 0 : 1;
    }
}
