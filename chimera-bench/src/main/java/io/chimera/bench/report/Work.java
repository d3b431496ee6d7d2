package io.chimera.bench.report;

import java.io.IOException;

/** Step of a measurement, which fails when the machine lacks a requirement. */
@FunctionalInterface
public interface Work {
    /**
     * Runs the step.
     *
     * @throws IOException with the reason when the step is impossible on this machine
     */
    void run() throws IOException, InterruptedException;
}
