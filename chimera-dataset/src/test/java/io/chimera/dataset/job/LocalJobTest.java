package io.chimera.dataset.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

import io.chimera.api.model.FieldType;
import io.chimera.api.model.Row;
import io.chimera.api.model.RowVersion;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.ShardStore;
import io.chimera.api.spi.ShardWrite;
import io.chimera.api.spi.StoreException;
import io.chimera.api.spi.VerifiableStore;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.dataset.compute.Windows;
import io.chimera.dataset.fetch.ReadAhead;
import io.chimera.dataset.format.text.CsvOptions;
import io.chimera.dataset.format.text.FieldColumn;
import io.chimera.dataset.format.text.MetricName;
import io.chimera.dataset.format.text.RowMapping;
import io.chimera.dataset.format.text.TagColumn;
import io.chimera.dataset.format.text.TextFormat;
import io.chimera.dataset.format.text.TextOptions;
import io.chimera.dataset.format.text.TimeColumn;
import io.chimera.dataset.format.text.TimeFormat;
import io.chimera.dataset.plan.Strategy;
import io.chimera.dataset.source.Retries;
import io.chimera.dataset.source.file.FolderSource;
import io.chimera.processor.pipeline.NamedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole jobs over files, with a store in memory. */
final class LocalJobTest {
    private static final int OBJECTS = 3;
    private static final int LINES = 4_000;
    private static final long WINDOW_NS = 1_000_000_000;

    private static final TextFormat CSV = TextFormat.csv(
            TextOptions.DEFAULT,
            CsvOptions.DEFAULT,
            new RowMapping(
                    MetricName.constant("load"),
                    new TimeColumn("time", TimeFormat.of("ns", ZoneOffset.UTC)),
                    List.of(new TagColumn("host", "host")),
                    List.of(new FieldColumn("value", "value", FieldType.DOUBLE))));

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();
    private final Retries.Pauses pauses = pause -> clock.advance(pause);
    private final Map<String, DoubleSummaryStatistics> expected = new HashMap<>();

    /** Rows by identity; may refuse to write after a number of batches. */
    private static class Table implements VerifiableStore {
        private final Map<String, Long> rows = new TreeMap<>();
        private int batchesLeft = Integer.MAX_VALUE;
        private int changes;

        @Override
        public synchronized void write(List<Row> batch) throws StoreException {
            if (batchesLeft-- <= 0) {
                throw new StoreException("down", true, null);
            }
            for (Row row : batch) {
                Long before = rows.put(name(row), row.bits());
                changes += before != null && before != row.bits() ? 1 : 0;
            }
        }

        @Override
        public synchronized List<Row> read(List<Row> written) {
            List<Row> found = new ArrayList<>();
            for (Row row : written) {
                Long bits = rows.get(name(row));
                if (bits != null) {
                    found.add(new Row(row.metric(), row.tags(), row.timeMs(), row.isLong(), bits));
                }
            }
            return found;
        }

        @Override
        public int batchRowsMax() {
            return 10;
        }

        private static String name(Row row) {
            return row.metric() + " " + row.tags() + " " + row.timeMs() + " " + row.isLong();
        }
    }

    /** Table with rows of a cycle, which rows of a job never overwrite. */
    private static final class CycleTable extends Table implements ShardStore {
        private final Map<String, Row> ofCycle = new HashMap<>();

        @Override
        public synchronized void write(List<Row> batch) throws StoreException {
            super.write(batch.stream()
                    .map(row -> ofCycle.getOrDefault(Table.name(row), row))
                    .toList());
        }

        @Override
        public List<Row> superseding(List<Row> written, RowVersion version) {
            return written.stream()
                    .map(row -> ofCycle.get(Table.name(row)))
                    .filter(Objects::nonNull)
                    .toList();
        }

        @Override
        public void begin(ShardWrite shard) {
            throw new UnsupportedOperationException("A job has no shards.");
        }

        @Override
        public void commit(ShardWrite shard) {
            throw new UnsupportedOperationException("A job has no shards.");
        }

        @Override
        public void abort(ShardWrite shard) {
            throw new UnsupportedOperationException("A job has no shards.");
        }
    }

    @BeforeEach
    void writeObjects() throws IOException {
        Random random = new Random(18);
        Path data = Files.createDirectory(folder.resolve("data"));
        for (int object = 0; object < OBJECTS; object++) {
            StringBuilder text = new StringBuilder("time,host,value\n");
            for (int line = 0; line < LINES; line++) {
                long timeNs = 1_700_000_000_000_000_000L + random.nextInt(40) * WINDOW_NS / 4 + line;
                String host = "h" + random.nextInt(5);
                double value = random.nextInt(1_000_000) / 1_000.0;
                text.append(timeNs)
                        .append(',')
                        .append(host)
                        .append(',')
                        .append(value)
                        .append('\n');
                expected.computeIfAbsent(
                                host + " " + (timeNs - timeNs % WINDOW_NS) / 1_000_000,
                                key -> new DoubleSummaryStatistics())
                        .accept(value);
            }
            Files.writeString(data.resolve("part" + object + ".csv"), text);
        }
    }

    private JobProgress.Snapshot run(String name, Table table, int workers, String definition) throws IOException {
        return run(name, table, workers, definition, "stores");
    }

    private JobProgress.Snapshot run(String name, Table table, int workers, String definition, String stores)
            throws IOException {
        return run(
                name,
                table,
                new JobSettings(
                        DefinitionDigest.of(definition),
                        stores,
                        new Windows(WINDOW_NS),
                        20_000,
                        workers,
                        JobSettings.BYTES_PER_WORKER_MIN,
                        new ReadAhead.Depth(5_000, 3)));
    }

    private JobProgress.Snapshot run(String name, Table table, JobSettings settings) throws IOException {
        PipelineConfig config = Sections.of(
                PipelineConfig.class,
                "aggregate",
                Sections.of(
                        AggregateConfig.class,
                        "by",
                        List.of("host"),
                        "functions",
                        List.of("count", "min", "max", "sum", "p90")),
                "stores",
                List.of("table"),
                "delivery",
                PipelineConfig.Delivery.EXACTLY_ONCE);
        return new PipelineJobs(clock, pauses, config, Map.of("table", new NamedStore("table", table)), settings)
                .run(
                        folder.resolve(name),
                        reception -> new JobInput(
                                new FolderSource(folder.resolve("data"), 100),
                                List.of("*.csv"),
                                CSV,
                                reception,
                                BadInput.DEFAULT),
                        SplitStrategies.always(Strategy.STREAM))
                .snapshot();
    }

    @Test
    void storesOneRowPerWindowGroupAndFunction() throws IOException {
        Table table = new Table();
        JobProgress.Snapshot end = run("a", table, 2, "d");

        assertThat(table.rows).hasSize(5 * expected.size());
        expected.forEach((place, of) -> {
            String[] parts = place.split(" ");
            assertThat(value(table, "count", parts, true)).isEqualTo(of.getCount());
            assertThat(Double.longBitsToDouble(value(table, "min", parts, false)))
                    .isEqualTo(of.getMin());
            assertThat(Double.longBitsToDouble(value(table, "max", parts, false)))
                    .isEqualTo(of.getMax());
            assertThat(Double.longBitsToDouble(value(table, "sum", parts, false)))
                    .isCloseTo(of.getSum(), withPercentage(1e-9));
        });
        assertThat(end.phase()).isEqualTo(JobPhase.DONE);
        assertThat(end.points()).isEqualTo(OBJECTS * LINES);
        assertThat(end.splits()).isGreaterThan(OBJECTS).isEqualTo(end.splitsComputed());
    }

    private static long value(Table table, String function, String[] place, boolean isLong) {
        return table.rows.entrySet().stream()
                .filter(row -> row.getKey().startsWith("load.value." + function + " ")
                        && row.getKey().contains(place[0])
                        && row.getKey().endsWith(" " + place[1] + " " + isLong))
                .findFirst()
                .orElseThrow()
                .getValue();
    }

    @Test
    void aJobEndsAlthoughACycleHasWrittenItsRow() throws IOException {
        String[] place = expected.keySet().iterator().next().split(" ");
        Row row = Row.ofLong("load.value.count", Tags.of(Map.of("host", place[0])), Long.parseLong(place[1]), -7);
        CycleTable table = new CycleTable();
        table.ofCycle.put(Table.name(row), row);

        assertThat(run("c", table, 1, "d").phase()).isEqualTo(JobPhase.DONE);
        assertThat(value(table, "count", place, true)).isEqualTo(-7);
    }

    @Test
    void rowsAreTheSameBitsWithAnyNumberOfWorkers() throws IOException {
        Table one = new Table();
        Table four = new Table();
        run("one", one, 1, "d");
        run("four", four, 4, "d");

        assertThat(four.rows).isEqualTo(one.rows);
    }

    @Test
    void aJobWhoseStoreFailsContinuesWithTheSameRows() throws IOException {
        Table whole = new Table();
        run("whole", whole, 1, "d");
        Table table = new Table();
        table.batchesLeft = 7;
        assertThatThrownBy(() -> run("b", table, 2, "d"))
                .isInstanceOf(JobException.class)
                .hasMessageContaining("table");

        table.batchesLeft = Integer.MAX_VALUE;
        JobProgress.Snapshot again = run("b", table, 2, "d");

        assertThat(table.rows).isEqualTo(whole.rows);
        assertThat(table.changes).isZero();
        assertThat(again.points()).as("also of earlier runs").isEqualTo(OBJECTS * LINES);
    }

    /** The bookmark says how far the rows are in the first store. */
    @Test
    void anotherStoreGetsAllRows() throws IOException {
        Table whole = new Table();
        run("whole", whole, 1, "d");
        Table first = new Table();
        first.batchesLeft = 0;
        assertThatThrownBy(() -> run("s", first, 1, "d", "first")).isInstanceOf(JobException.class);
        try (JobFolder state = JobFolder.open(folder.resolve("s"))) {
            state.merged("first", Long.MAX_VALUE);
        }
        Table second = new Table();

        run("s", second, 1, "d", "second");

        assertThat(second.rows).isEqualTo(whole.rows);
    }

    @Test
    void rowsBeforeTheBookmarkAreNotStoredAgain() throws IOException {
        Table table = new Table();
        table.batchesLeft = 0;
        assertThatThrownBy(() -> run("u", table, 1, "d")).isInstanceOf(JobException.class);
        try (JobFolder state = JobFolder.open(folder.resolve("u"))) {
            state.merged("stores", Long.MAX_VALUE);
        }

        run("u", table, 1, "d");

        assertThat(table.rows).isEmpty();
    }

    @Test
    void aJobThatIsDoneWritesTheRowsOnceMore() throws IOException {
        Table table = new Table();
        run("t", table, 1, "d");
        Map<String, Long> before = Map.copyOf(table.rows);
        table.rows.clear();

        run("t", table, 1, "d");

        assertThat(table.rows).isEqualTo(before);
    }

    @Test
    void aLostResultIsComputedAgainWithTheSameRows() throws IOException {
        Table table = new Table();
        run("c", table, 2, "d");
        Map<String, Long> before = Map.copyOf(table.rows);
        Files.delete(folder.resolve("c").resolve("splits").resolve("000001"));

        run("c", table, 1, "d");

        assertThat(table.rows).isEqualTo(before);
        assertThat(table.changes).isZero();
    }

    @Test
    void aJobThatRunsIsRefusedASecondTime() throws IOException {
        try (JobFolder first = JobFolder.open(folder.resolve("h"))) {
            assertThatThrownBy(() -> JobFolder.open(first.path()))
                    .isInstanceOf(JobException.class)
                    .hasMessageContaining("runs already");
        }
    }

    @Test
    void anotherDefinitionIsRefused() throws IOException {
        run("d", new Table(), 1, "d");

        assertThatThrownBy(() -> run("d", new Table(), 1, "e"))
                .isInstanceOf(JobException.class)
                .hasMessageContaining("definition");
    }

    /** Memory is a remedy for a job that ended: its computed splits stay valid. */
    @Test
    void aJobContinuesWithAnotherMemory() throws IOException {
        Table whole = new Table();
        run("whole", whole, 1, "d");
        Table table = new Table();
        table.batchesLeft = 0;
        assertThatThrownBy(() -> run("m", table, 1, "d")).isInstanceOf(JobException.class);
        Files.delete(folder.resolve("m").resolve("splits").resolve("000001"));
        long computed = Files.getLastModifiedTime(
                        folder.resolve("m").resolve("splits").resolve("000000"))
                .toMillis();
        table.batchesLeft = Integer.MAX_VALUE;

        run("m", table, settings(new DefinitionDigest("d", "d with 128MiB"), 2 * JobSettings.BYTES_PER_WORKER_MIN));

        assertThat(table.rows).isEqualTo(whole.rows);
        assertThat(Files.getLastModifiedTime(
                                folder.resolve("m").resolve("splits").resolve("000000"))
                        .toMillis())
                .isEqualTo(computed);
        try (JobFolder state = JobFolder.open(folder.resolve("m"))) {
            assertThat(state.plan().orElseThrow().memory()).isEqualTo(JobSettings.BYTES_PER_WORKER_MIN);
        }
    }

    /** Such a plan has no memory, and its digest covers the memory. */
    @Test
    void aPlanOfAnEarlierBuildContinuesWithTheSameMemoryOnly() throws IOException {
        Table whole = new Table();
        run("whole", whole, 1, "d");
        run("o", new Table(), 1, "d with 64MiB");
        Path plan = folder.resolve("o").resolve("plan.json");
        String text = Files.readString(plan);
        String earlier = text.replace(",\"memory\":" + JobSettings.BYTES_PER_WORKER_MIN, "");
        assertThat(earlier).isNotEqualTo(text);
        Files.writeString(plan, earlier);
        Table table = new Table();

        assertThatThrownBy(() -> run(
                        "o",
                        table,
                        settings(new DefinitionDigest("d", "d with 128MiB"), 2 * JobSettings.BYTES_PER_WORKER_MIN)))
                .isInstanceOf(JobException.class)
                .hasMessageContaining("definition");
        run("o", table, settings(new DefinitionDigest("d", "d with 64MiB"), JobSettings.BYTES_PER_WORKER_MIN));

        assertThat(table.rows).isEqualTo(whole.rows);
    }

    private static JobSettings settings(DefinitionDigest definition, long memory) {
        return new JobSettings(
                definition, "stores", new Windows(WINDOW_NS), 20_000, 1, memory, new ReadAhead.Depth(5_000, 3));
    }

    @Test
    void aChangedObjectEndsTheJob() throws IOException {
        Table table = new Table();
        table.batchesLeft = 0;
        assertThatThrownBy(() -> run("e", table, 1, "d")).isInstanceOf(JobException.class);
        Files.delete(folder.resolve("e").resolve("splits").resolve("000000"));
        Files.writeString(folder.resolve("data").resolve("part0.csv"), "time,host,value\n1,h1,2\n");

        assertThatThrownBy(() -> run("e", new Table(), 1, "d"))
                .isInstanceOf(JobException.class)
                .hasMessageContaining("part0.csv");
    }

    @Test
    void aDataSetWithoutObjectsIsRefused() throws IOException {
        try (var all = Files.list(folder.resolve("data"))) {
            for (Path file : all.toList()) {
                Files.delete(file);
            }
        }

        assertThatThrownBy(() -> run("f", new Table(), 1, "d")).hasMessageContaining("*.csv");
    }

    @Test
    void pausesWhileTheStoreIsAway() throws IOException {
        Table table = new Table();
        long beforeNs = clock.nanoTime();
        table.batchesLeft = 3;
        assertThatThrownBy(() -> run("g", table, 1, "d")).isInstanceOf(JobException.class);

        assertThat(Duration.ofNanos(clock.nanoTime() - beforeNs))
                .isBetween(Duration.ofMinutes(9), Duration.ofMinutes(10));
    }
}
