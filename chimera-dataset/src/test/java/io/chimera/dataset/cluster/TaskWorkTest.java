package io.chimera.dataset.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.compute.PieceFile;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.plan.Strategy;
import io.chimera.dataset.plan.StrategyRules;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A split whose result is there from an earlier start; computing it would fail, because the source has no objects. */
final class TaskWorkTest {
    private static final Split SPLIT = ClusterRig.plan(1).splits().get(0);

    @TempDir
    Path folder;

    private final ClusterRig rig = new ClusterRig();
    private WorkerFolder results;
    private TaskWork work;
    private String digest;

    @BeforeEach
    void open() throws Exception {
        results = WorkerFolder.open(folder, () -> 101);
        results.prepare(ClusterRig.JOB);
        work = new TaskWork(ClusterRig.JOB, ClusterRig.plan(1), rig.program(StrategyRules.STREAM), results);
        Path path = results.result(ClusterRig.JOB, TaskId.split(0));
        try (PieceFile.Writer writer = new PieceFile.Writer(path)) {
            writer.finish(5, 0, new byte[0]);
        }
        digest = PieceFile.open(path).digest();
    }

    @AfterEach
    void close() throws Exception {
        results.close();
        rig.close();
    }

    private WorkerReport.SplitDone split(Optional<String> reported) throws IOException {
        return work.split(SPLIT, Strategy.STREAM, Optional.empty(), reported);
    }

    @Test
    void aResultOfAnEarlierStartIsUsedAgain() throws IOException {
        assertThat(work.hasResult(0)).isTrue();
        assertThat(split(Optional.empty()).digest()).isEqualTo(digest);
        assertThat(split(Optional.of(digest)).points()).isEqualTo(5);
    }

    @Test
    void aResultThatDiffersFromItsReportIsComputedAgain() {
        assertThatThrownBy(() -> split(Optional.of("another")))
                .as("the computation")
                .isInstanceOf(BadSplitException.class);

        assertThat(work.hasResult(0)).isFalse();
    }
}
