package io.chimera.dataset.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.FieldType;
import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.compute.Windows;
import io.chimera.dataset.copy.CopyTotals;
import io.chimera.dataset.fetch.ReadAhead;
import io.chimera.dataset.fetch.Reception;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.ObjectBytes;
import io.chimera.dataset.format.text.CsvOptions;
import io.chimera.dataset.format.text.FieldColumn;
import io.chimera.dataset.format.text.MetricName;
import io.chimera.dataset.format.text.RowMapping;
import io.chimera.dataset.format.text.TextFormat;
import io.chimera.dataset.format.text.TextOptions;
import io.chimera.dataset.format.text.TimeColumn;
import io.chimera.dataset.format.text.TimeFormat;
import io.chimera.dataset.job.BadInput;
import io.chimera.dataset.job.ChosenStrategy;
import io.chimera.dataset.job.DefinitionDigest;
import io.chimera.dataset.job.JobInput;
import io.chimera.dataset.job.JobProgram;
import io.chimera.dataset.job.JobProgress;
import io.chimera.dataset.job.JobSettings;
import io.chimera.dataset.job.Split;
import io.chimera.dataset.meter.MeteredSource;
import io.chimera.dataset.meter.WorkerMeter;
import io.chimera.dataset.plan.Advice;
import io.chimera.dataset.plan.Adviser;
import io.chimera.dataset.plan.ComputationSample;
import io.chimera.dataset.plan.ConnectionRate;
import io.chimera.dataset.plan.Corrections;
import io.chimera.dataset.plan.DataSetExtent;
import io.chimera.dataset.plan.Measurements;
import io.chimera.dataset.plan.PlanInput;
import io.chimera.dataset.plan.SourceSample;
import io.chimera.dataset.plan.StorageSample;
import io.chimera.dataset.plan.Strategy;
import io.chimera.dataset.plan.StrategyRules;
import io.chimera.dataset.sample.JobSampler;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.Retries;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs of 200 splits of 5 MB in virtual time: a source of 10 MB/s, and a core that computes 20 MB/s. */
final class MeasuredStrategiesTest {
    private static final int SPLITS = 200;
    private static final int SPLIT = 5_000_000;
    private static final double SOURCE = 10e6;
    private static final double CORE = 20e6;

    private final ManualClock clock = new ManualClock();
    private final VirtualSource virtual = new VirtualSource();
    private final MeteredSource source = new MeteredSource(virtual, clock);
    private final Retries.Pauses pauses = clock::advance;
    private final Reception reception =
            new Reception("receive", 1, new Retries(Retries.Limits.DEFAULT, clock, () -> 1L, pauses));
    private final JobSettings settings = new JobSettings(
            DefinitionDigest.of("d"),
            new Windows(1_000_000),
            SPLIT,
            1,
            JobSettings.BYTES_PER_WORKER_MIN,
            ReadAhead.Depth.DEFAULT);
    private final JobInput input = new JobInput(
            source,
            List.of("a"),
            TextFormat.csv(
                    TextOptions.DEFAULT,
                    CsvOptions.DEFAULT,
                    new RowMapping(
                            MetricName.constant("m"),
                            new TimeColumn("time", TimeFormat.of("s", ZoneOffset.UTC)),
                            List.of(),
                            List.of(new FieldColumn("value", "value", FieldType.LONG)))),
            reception,
            BadInput.DEFAULT);
    private final AutoBasis basis = new AutoBasis(input, List::of, settings, Path.of("unused"), StrategyRules.STREAM);
    private CopyTotals copies = CopyTotals.NONE;

    /** Reads take their time on the clock. */
    private final class VirtualSource implements DataSource {
        private boolean isAway;

        @Override
        public String place() {
            return "http://far";
        }

        @Override
        public List<DataObject> list(String pattern) {
            return List.of();
        }

        @Override
        public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
            if (isAway) {
                throw new SourceException(SourceFault.UNREACHABLE, "the source is away");
            }
            clock.advance(seconds(into.remaining() / SOURCE));
            into.position(into.limit());
        }

        @Override
        public void close() {}
    }

    @AfterEach
    void close() {
        reception.close();
    }

    private static Duration seconds(double seconds) {
        return Duration.ofNanos((long) (seconds * 1e9));
    }

    private static List<Split> splits(int count, long length) {
        DataObject object = new DataObject("a", count * length, ObjectVersion.UNKNOWN);
        List<Split> splits = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            splits.add(new Split(i, object, new ByteRange(i * length, (i + 1) * length)));
        }
        return splits;
    }

    private JobProgress progress() {
        JobProgress progress = new JobProgram(input, List::of, settings, clock, pauses).newProgress();
        progress.meters().add(source);
        progress.meters().copies(() -> copies);
        return progress;
    }

    /** Bytes of a split, in one read; a slow write to the copy holds the read up. */
    private final class SplitBytes implements ObjectBytes {
        private final Split split;
        private final double writing;

        SplitBytes(Split split, double writing) {
            this.split = split;
            this.writing = writing;
        }

        @Override
        public String path() {
            return split.object().path();
        }

        @Override
        public long length() {
            return split.object().length();
        }

        @Override
        public int read(long offset, ByteBuffer into) throws IOException {
            int length = into.remaining();
            source.read(split.object(), offset, into);
            clock.advance(seconds(Math.max(0, writing - SPLIT / SOURCE)));
            if (writing > 0) {
                copies = new CopyTotals(
                        0, copies.writtenBytes() + SPLIT, copies.writingNs() + (long) (writing * 1e9), 0, 0, "");
            }
            return length;
        }
    }

    /** Runs a job whose copies are written with a rate. */
    private JobProgress run(MeasuredStrategies strategies, double writeRate) throws IOException {
        JobProgress progress = progress();
        WorkerMeter worker = progress.meters().newWorker();
        List<Split> splits = splits(SPLITS, SPLIT);
        strategies.begin(splits, progress);
        for (Split split : splits) {
            double writing = strategies.next() == Strategy.OVERLAP ? SPLIT / writeRate : 0;
            worker.begin(new SplitBytes(split, writing), split.range())
                    .read(split.range().from(), ByteBuffer.allocate(SPLIT));
            clock.advance(seconds(SPLIT / CORE));
            worker.end(split.range(), SPLIT / 100);
            strategies.computed(split);
        }
        return progress;
    }

    /** Advises overlap, as a sample with a fast storage may do. */
    private static Optional<Advice> overlap(DataSetExtent extent, JobSettings settings) {
        PlanInput sampled = PlanInput.of(
                extent,
                new Measurements(
                        List.of(new SourceSample(
                                "http://far",
                                Duration.ZERO,
                                List.of(new ConnectionRate(1, SOURCE)),
                                OptionalDouble.empty(),
                                OptionalDouble.empty())),
                        new ComputationSample(CORE / 100, 100),
                        StorageSample.of(500e6, 500e6),
                        JobSampler.nodes(settings),
                        OptionalDouble.empty(),
                        OptionalDouble.empty()));
        Advice planned = new Adviser().advise(sampled);
        return Optional.of(new Advice(
                sampled, Corrections.NONE, planned.predictions(), Strategy.OVERLAP, planned.reasons(), 0, 0));
    }

    @Test
    void aSlowStorageChangesTheStrategyWithAReason() throws IOException {
        MeasuredStrategies strategies = new MeasuredStrategies(basis, clock, (splits, extent, notes) -> {
            notes.add("sampled");
            return overlap(extent, settings);
        });

        JobProgress end = run(strategies, 2e6);

        assertThat(end.choices())
                .extracting(ChosenStrategy::strategy)
                .containsExactly(Strategy.OVERLAP, Strategy.STREAM);
        assertThat(end.choices().get(0).reasons()).containsExactly("sampled");
        assertThat(end.choices().get(1).reasons().get(0)).contains("Change to stream");
        assertThat(end.choices().get(1).afterSplits()).isBetween(4, SPLITS / 2);
    }

    @Test
    void aFastStorageKeepsTheStrategy() throws IOException {
        MeasuredStrategies strategies =
                new MeasuredStrategies(basis, clock, (splits, extent, notes) -> overlap(extent, settings));

        JobProgress end = run(strategies, 500e6);

        assertThat(end.choices()).extracting(ChosenStrategy::strategy).containsExactly(Strategy.OVERLAP);
    }

    /** 10 MB, expected to take 0.1 s on 8 connections. */
    @Test
    void aShortJobIsNotSampled() throws IOException {
        MeasuredStrategies strategies = new MeasuredStrategies(basis, clock, pauses);
        JobProgress progress = progress();

        strategies.begin(splits(2, SPLIT), progress);

        assertThat(strategies.next()).isEqualTo(Strategy.STREAM);
        assertThat(progress.choices()).hasSize(1);
        assertThat(progress.choices().get(0).reasons().get(0)).contains("short");
        assertThat(source.totals().bytes()).isLessThan(200_000);
    }

    @Test
    void aSourceThatIsAwayIsLeftToTheJob() throws IOException {
        virtual.isAway = true;
        MeasuredStrategies strategies = new MeasuredStrategies(basis, clock, pauses);
        JobProgress progress = progress();

        strategies.begin(splits(2, SPLIT), progress);

        assertThat(strategies.next()).isEqualTo(Strategy.STREAM);
        assertThat(progress.choices().get(0).reasons().get(0)).contains("sample failed", "away");
    }
}
