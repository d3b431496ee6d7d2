package io.chimera.archive.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.archive.query.answer.ArchiveQuery;
import io.chimera.archive.query.answer.PointQuery;
import io.chimera.archive.query.point.PointArchive;
import io.chimera.archive.query.point.RowFilters;
import io.chimera.archive.query.point.WrittenRows;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Batches of rows are written, partly rewritten with other values, and interrupted by crashes with loss of undurable
 * data. Every answer equals a plain scan over the last version of each row.
 */
final class PointArchivePropertyTest {
    private static final int BATCHES = 120;
    private static final int QUESTIONS = 60;
    private static final int TIMES = 40;

    private final MemoryStreamStore store = new MemoryStreamStore();
    private final ManualClock clock = new ManualClock();
    private final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);

    private record RowId(String metric, Tags tags, long timeMs, boolean isLong) {}

    private final Map<RowId, Row> expected = new HashMap<>();
    private PointArchive archive;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void answersWhatAScanOfTheRowsWrittenLastFinds(long seed) {
        Random random = new Random(seed);
        RowFilters rows = new RowFilters(seed);
        int knownRowsMax = random.nextBoolean() ? WrittenRows.ROWS_MAX : 30;
        open(knownRowsMax);
        for (int i = 0; i < BATCHES; i++) {
            List<Row> batch = new ArrayList<>();
            for (int n = random.nextInt(200); n >= 0; n--) {
                batch.add(rows.row(TIMES));
            }
            if (random.nextInt(10) == 0) { // dies during the write, then repeats the batch
                batch.subList(0, random.nextInt(batch.size())).forEach(this::add);
                if (random.nextBoolean()) {
                    archive.cut();
                }
                if (random.nextBoolean()) {
                    store.loseUndurable();
                }
                open(knownRowsMax);
            }
            batch.forEach(this::add);
            acknowledge();
            batch.forEach(row -> expected.put(new RowId(row.metric(), row.tags(), row.timeMs(), row.isLong()), row));
        }
        for (int i = 0; i < QUESTIONS; i++) {
            ask(rows.filter(random.nextInt(4)), random);
        }
        assertThat(counters.get(ArchiveCounter.ARCHIVE_POINTS_AGAIN)).isPositive();
    }

    private void open(int knownRowsMax) {
        ArchiveSettings settings = ArchiveSettings.ofPoints("points", 0).withIntervalBytes(4 << 10);
        archive = new PointArchive(store, settings, clock, counters, knownRowsMax);
    }

    private void add(Row row) {
        while (!archive.add(row)) {
            store.doWork();
            archive.doWork();
        }
    }

    private void acknowledge() {
        assertThat(archive.cut()).isTrue();
        store.sync();
        while (!archive.isDurable()) {
            store.doWork();
            archive.doWork();
        }
    }

    private void ask(RowFilters.Filter filter, Random random) {
        Question whole = Question.parse(filter.text(), 0);
        long first = random.nextBoolean() ? 0 : 1_700_000_000_000L + 10_000L * random.nextInt(TIMES);
        long last = random.nextBoolean() ? Long.MAX_VALUE / 1_000_000 : first + 10_000L * random.nextInt(TIMES);
        Question question = new Question(whole.filter(), "", first * 1_000_000, last * 1_000_000, Long.MAX_VALUE);
        List<Row> found = new ArrayList<>();
        try (ArchiveQuery<?> query = ArchiveQuery.of(store, List.of(archive.stream()), question)) {
            while (query.next()) {
                found.add(((PointQuery) query).row());
            }
            assertThat(query.progress().damaged()).isZero();
            assertThat(query.progress().found()).isEqualTo(found.size());
        }
        List<Row> scanned = expected.values().stream()
                .filter(row -> row.timeMs() >= first && row.timeMs() <= last)
                .filter(filter.means())
                .toList();
        assertThat(found).as(filter.text()).containsExactlyInAnyOrderElementsOf(scanned);
    }
}
