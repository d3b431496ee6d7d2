package io.chimera.dataset.cluster;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.cluster.WorkerReport.SplitDone;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results at another worker that cannot be read. */
final class SplitResultsTest {
    private static final WorkerSession OTHER = new WorkerSession(2, 102, "b", "h:2", 1);
    private static final WindowSpan WINDOWS = new WindowSpan(0, 10);

    @TempDir
    Path folder;

    private SplitResults results(WorkerFolder own, IOException failure) {
        SplitDone done = new SplitDone(0, "digest", 1, 1, 0, WINDOWS);
        JobLedger.Held<SplitDone> held =
                new JobLedger.Held<>(new ResultPlace(OTHER.folder(), new ReportId(2, 1), "digest"), done);
        ResultTransfer transfer = new ResultTransfer() {
            @Override
            public long length(WorkerSession worker, JobId job, TaskId task) throws IOException {
                throw failure;
            }

            @Override
            public void read(WorkerSession worker, JobId job, TaskId task, long offset, ByteBuffer into)
                    throws IOException {
                throw failure;
            }
        };
        return new SplitResults(
                ClusterRig.JOB, WINDOWS, List.of(Optional.of(new SplitResults.Place(held, OTHER))), own, transfer);
    }

    /** A computation of the split elsewhere would not help, and would be repeated for ever. */
    @Test
    void aRefusedReadIsAFailureOfTheRange() throws Exception {
        try (WorkerFolder own = WorkerFolder.open(folder, () -> 101)) {
            SplitResults refused = results(own, new AccessDeniedException("h:2", null, "the token needs a role"));
            SplitResults gone = results(own, new IOException("no answer"));

            assertThatThrownBy(() -> refused.open(ClusterRig.plan(1).splits().get(0)))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("role");
            assertThatThrownBy(() -> gone.open(ClusterRig.plan(1).splits().get(0)))
                    .isInstanceOf(LostResultException.class);
        }
    }
}
