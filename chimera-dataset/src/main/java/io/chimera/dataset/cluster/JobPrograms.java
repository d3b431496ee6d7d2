package io.chimera.dataset.cluster;

import io.chimera.dataset.job.JobProgram;
import java.io.IOException;
import java.util.List;
import org.agrona.CloseHelper;

/** Makes the program of a job from its definition, under the rules of this node. */
@FunctionalInterface
public interface JobPrograms {
    /**
     * Makes a program; reads no data.
     *
     * @param order the job
     * @return the program with its sources and stores, closed by the caller
     * @throws IOException when the definition is wrong, or needs something that this node lacks or forbids: key, reason
     *     and remedy
     */
    OpenedProgram open(JobOrder order) throws IOException;

    /**
     * A program and its resources.
     *
     * @param program the program
     * @param resources sources, stores and threads of the program; closed after the program
     */
    record OpenedProgram(JobProgram program, List<AutoCloseable> resources) implements AutoCloseable {
        /** Copies the list. */
        public OpenedProgram {
            resources = List.copyOf(resources);
        }

        /** Closes everything; failures do not matter any more. */
        @Override
        public void close() {
            program.close();
            CloseHelper.quietCloseAll(resources);
        }
    }
}
