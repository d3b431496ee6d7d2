package io.chimera.bench.report;

import java.io.IOException;

/** A step of a measurement, which fails where this machine lacks something. */
@FunctionalInterface
public interface Work {
    /**
     * Does it.
     *
     * @throws IOException when it cannot be done here, with the reason
     */
    void run() throws IOException, InterruptedException;
}
