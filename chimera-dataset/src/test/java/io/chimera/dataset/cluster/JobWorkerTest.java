package io.chimera.dataset.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker with one thread and a list of three splits. */
final class JobWorkerTest {
    private static final WorkerSession SELF = new WorkerSession(1, 101, "a", "h:1", 1);

    @TempDir
    Path folder;

    @Test
    void aThreadThatBecameFreeGetsWorkInTheSameStep() throws Exception {
        try (ClusterRig rig = new ClusterRig();
                WorkerFolder results = WorkerFolder.open(folder, () -> 101);
                JobWorker worker = new JobWorker(rig.worker(SELF, results))) {
            rig.board.orders = List.of(ClusterRig.order());
            rig.board.workers = List.of(SELF);
            rig.board.plan = Optional.of(ClusterRig.plan(3));
            rig.board.lists.put(
                    1L,
                    new TaskList(IntStream.range(0, 3).mapToObj(TaskId::split).toList()));
            worker.step();
            assertThat(worker.busy()).isEqualTo(1);

            worker.step();

            assertThat(rig.board.reports).as("the first split has ended").hasSize(1);
            assertThat(worker.busy()).as("the second split runs").isEqualTo(1);
        }
    }
}
