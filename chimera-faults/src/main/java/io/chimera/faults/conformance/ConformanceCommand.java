package io.chimera.faults.conformance;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Runs published conformance suites. */
@Command(
        name = "conformance",
        description = "Run a published conformance suite of a protocol against a node on loopback.",
        subcommands = RemoteWriteConformance.class)
public final class ConformanceCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    /** Called by picocli. */
    public ConformanceCommand() {}

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing suite: choose remote-write.");
    }
}
