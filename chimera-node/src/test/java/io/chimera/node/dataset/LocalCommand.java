package io.chimera.node.dataset;

import io.chimera.node.Invocation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The command {@code dataset run --local} with figures as JSON. */
final class LocalCommand {
    private LocalCommand() {}

    /**
     * Runs a job.
     *
     * @param job file of the job
     * @param states folder of the states of jobs
     * @param more further arguments
     */
    static Invocation run(Path job, Path states, String... more) {
        List<String> arguments = new ArrayList<>(
                List.of("dataset", "run", job.toString(), "--local", "--json", "--folder", states.toString()));
        arguments.addAll(Arrays.asList(more));
        return Invocation.of(arguments.toArray(String[]::new));
    }
}
