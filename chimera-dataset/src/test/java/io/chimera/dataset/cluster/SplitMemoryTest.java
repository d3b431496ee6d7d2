package io.chimera.dataset.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.metrics.AllocatedBytes;
import io.chimera.dataset.cluster.WorkerReport.SplitDone;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.job.JobException;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.job.SplitLimit;
import io.chimera.dataset.plan.StrategyRules;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ObjectVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory of the splits of a job at its leader. */
final class SplitMemoryTest {
    private static final int SPLITS = 10_000;
    private static final int PER_REPORT = 100;

    @TempDir
    Path folder;

    /** The allocation is at least the memory that stays. */
    @Test
    void aSplitNeedsNoMoreThanTheLimitCounts() {
        DataObject object = new DataObject("o", SPLITS, new ObjectVersion("1", Checksum.NONE));
        long[] ids = {Thread.currentThread().getId()};
        leader(object);

        long before = AllocatedBytes.ofThreads(ids);
        List<Object> kept = leader(object);
        long bytesPerSplit = (AllocatedBytes.ofThreads(ids) - before) / SPLITS;

        assertThat(kept).isNotEmpty();
        assertThat(bytesPerSplit).isBetween(100L, (long) SplitLimit.BYTES_PER_SPLIT);
    }

    /** Makes the plan, the reports and the places of a merge. */
    private static List<Object> leader(DataObject object) {
        List<Split> plan = new ArrayList<>(SPLITS);
        JobLedger ledger = new JobLedger();
        for (int first = 0; first < SPLITS; first += PER_REPORT) {
            List<SplitDone> done = new ArrayList<>(PER_REPORT);
            for (int split = first; split < first + PER_REPORT; split++) {
                plan.add(new Split(split, object, new ByteRange(split, split + 1L)));

                done.add(new SplitDone(split, "0".repeat(32), 1, 1, 0, new WindowSpan(0, 1)));
            }
            ReportId id = new ReportId(1, first / PER_REPORT + 1L);
            ledger.add(List.of(new WorkerReport(id, 1, 1, done, List.of(), List.of(), List.of())));
        }
        WorkerSession worker = new WorkerSession(1, 1, "n", "h:1", 1);
        JobLedger.Held<SplitDone> held = ledger.split(0, folder -> true).orElseThrow();
        List<Optional<SplitResults.Place>> places = new ArrayList<>(SPLITS);
        for (int split = 0; split < SPLITS; split++) {
            places.add(Optional.of(new SplitResults.Place(held, worker)));
        }
        return List.of(plan, ledger, places);
    }

    @Test
    void aJobWithMoreSplitsThanTheMemoryOfTheLeaderIsNotPlanned() throws Exception {
        try (ClusterRig rig = new ClusterRig()) {
            rig.data = folder;
            Files.write(folder.resolve("a"), new byte[100]);

            assertThatThrownBy(() -> rig.program(StrategyRules.STREAM).plan(SplitLimit.ofMemory(100)))
                    .isInstanceOf(JobException.class)
                    .hasMessageContainingAll("0 splits", "up to a", "datasets.memory", "larger split", "operator");
        }
    }
}
