package io.chimera.node.dataset;

import io.chimera.node.dataset.client.JobState;
import java.io.PrintWriter;

/** Prints the states of jobs. */
final class JobFigures {
    private static final double MEBIBYTE = 1 << 20;

    private JobFigures() {}

    /** Prints a state in two lines. */
    static void print(JobState state, PrintWriter out) {
        out.printf("Job %s: %s%n", state.order().id().name(), state.line());
        out.printf(
                "%d of %d splits, %.1f MiB in all: %d points, %d rejected; %d windows, %d rows, %d rows left out.%n",
                state.totals().splitsDone(),
                state.totals().splits(),
                state.bytes() / MEBIBYTE,
                state.totals().points(),
                state.totals().rejected(),
                state.totals().windows(),
                state.totals().rows(),
                state.totals().leftOut());
        if (state.totals().splitsSkipped() > 0) {
            out.printf(
                    "%d splits are skipped and have no rows.%n", state.totals().splitsSkipped());
        }
        if (state.measures().nearBytes() > 0 || state.measures().copied().bytes() > 0) {
            out.printf(
                    "%.1f MiB from the source, %.1f MiB from copies, %.1f MiB copied.%n",
                    state.measures().received().bytes() / MEBIBYTE,
                    state.measures().nearBytes() / MEBIBYTE,
                    state.measures().copied().bytes() / MEBIBYTE);
        }
    }
}
