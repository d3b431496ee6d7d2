package io.chimera.dataset.cluster;

import io.chimera.api.model.FieldType;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.Metrics;
import io.chimera.common.metrics.WorkerCounter;
import io.chimera.dataset.compute.Windows;
import io.chimera.dataset.fetch.ReadAhead;
import io.chimera.dataset.fetch.Reception;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.text.CsvOptions;
import io.chimera.dataset.format.text.FieldColumn;
import io.chimera.dataset.format.text.MetricName;
import io.chimera.dataset.format.text.RowMapping;
import io.chimera.dataset.format.text.TextFormat;
import io.chimera.dataset.format.text.TextOptions;
import io.chimera.dataset.format.text.TimeColumn;
import io.chimera.dataset.format.text.TimeFormat;
import io.chimera.dataset.job.BadInput;
import io.chimera.dataset.job.DefinitionDigest;
import io.chimera.dataset.job.JobInput;
import io.chimera.dataset.job.JobPlan;
import io.chimera.dataset.job.JobProgram;
import io.chimera.dataset.job.JobSettings;
import io.chimera.dataset.job.OnBadSplit;
import io.chimera.dataset.job.RejectLimits;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.plan.StrategyRules;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.Retries;
import io.chimera.dataset.source.file.FolderSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** A worker of one job without a cluster: its source has no objects, so each split fails. Work runs at once. */
final class ClusterRig implements AutoCloseable {
    static final JobId JOB = new JobId("j", 1);

    final ManualClock clock = new ManualClock();
    final OneJobBoard board;
    final JobLedger ledger = new JobLedger();

    /** Folder of the objects. */
    Path data = Path.of("unused");

    private final Retries.Pauses pauses = clock::advance;
    private final Reception reception =
            new Reception("receive", 1, new Retries(Retries.Limits.DEFAULT, clock, () -> 1L, pauses));

    ClusterRig() {
        this(new OneJobBoard());
    }

    ClusterRig(OneJobBoard board) {
        this.board = board;
    }

    /** Returns a program that skips bad splits. */
    JobProgram program(StrategyRules rules) {
        TextFormat format = TextFormat.csv(
                TextOptions.DEFAULT,
                CsvOptions.DEFAULT,
                new RowMapping(
                        MetricName.constant("m"),
                        new TimeColumn("time", TimeFormat.of("s", ZoneOffset.UTC)),
                        List.of(),
                        List.of(new FieldColumn("value", "value", FieldType.LONG))));
        return new JobProgram(
                new JobInput(
                        new FolderSource(data, 1),
                        List.of("a"),
                        format,
                        reception,
                        new BadInput(OnBadSplit.SKIP, RejectLimits.DEFAULT)),
                List::of,
                new JobSettings(
                        DefinitionDigest.of("d"),
                        new Windows(1_000_000),
                        1_000_000,
                        2,
                        JobSettings.BYTES_PER_WORKER_MIN,
                        ReadAhead.Depth.DEFAULT),
                rules,
                clock,
                pauses);
    }

    /** Returns a plan with splits of 100 bytes, each an object. */
    static JobPlan plan(int splits) {
        return new JobPlan(
                "d",
                JobSettings.BYTES_PER_WORKER_MIN,
                IntStream.range(0, splits)
                        .mapToObj(number -> new Split(
                                number,
                                new DataObject("o" + number, 100, new ObjectVersion("1", Checksum.NONE)),
                                new ByteRange(0, 100)))
                        .toList());
    }

    static JobOrder order() {
        return new JobOrder(JOB, "", JobWish.RUN, 1);
    }

    WorkerContext worker(WorkerSession self, WorkerFolder folder) {
        return worker(self, folder, order -> new JobPrograms.OpenedProgram(program(StrategyRules.STREAM), List.of()));
    }

    WorkerContext worker(WorkerSession self, WorkerFolder folder, JobPrograms programs) {
        return new WorkerContext(
                board,
                self,
                folder,
                programs,
                new NoTransfer(),
                new AtOnce(),
                64L << 20,
                clock,
                new Counters<>(WorkerCounter.class),
                new JobMetrics(new Metrics("n")));
    }

    private static final class AtOnce implements TaskThreads {
        @Override
        public <T> Future<T> submit(Callable<T> work) {
            try {
                return CompletableFuture.completedFuture(work.call());
            } catch (Exception e) {
                return CompletableFuture.failedFuture(e);
            }
        }
    }

    private static final class NoTransfer implements ResultTransfer {
        @Override
        public long length(WorkerSession worker, JobId job, TaskId task) throws IOException {
            throw new IOException("no other worker");
        }

        @Override
        public void read(WorkerSession worker, JobId job, TaskId task, long offset, ByteBuffer into)
                throws IOException {
            throw new IOException("no other worker");
        }
    }

    @Override
    public void close() {
        reception.close();
    }
}
