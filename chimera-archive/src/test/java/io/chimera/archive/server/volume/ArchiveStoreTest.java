package io.chimera.archive.server.volume;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.PluginContext;
import io.chimera.api.spi.StoreException;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.ArchiveQuery;
import io.chimera.archive.query.answer.PointQuery;
import io.chimera.archive.server.QueryService;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.MemoryExchange;
import io.chimera.common.config.VolumeConfig;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.Metrics;
import io.chimera.common.metrics.PrometheusText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ArchiveStoreTest {
    private static final long TIME_MS = 1_700_000_000_000L;

    private final Clock clock = new SystemClock();
    private final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);

    @TempDir
    private Path folder;

    @Test
    void whatIsAcknowledgedIsOnTheDeviceWheneverTheProcessDies() throws Exception {
        List<Row> written = new ArrayList<>();
        try (ArchiveStore store = opened("a.volume")) {
            for (int cycle = 0; cycle < 5; cycle++) {
                List<Row> rows = rows(cycle, 2_000);
                store.write(rows);
                written.addAll(rows);
                String asItIsNow = "killed-" + cycle + ".volume";
                Files.copy(folder.resolve("a.volume"), folder.resolve(asItIsNow));
                try (ArchiveStore after = opened(asItIsNow)) {
                    assertThat(ask(after, "")).containsExactlyInAnyOrderElementsOf(written);
                    after.write(rows); // as the processor that repeats the cycle
                    assertThat(ask(after, "")).containsExactlyInAnyOrderElementsOf(written);
                }
            }
        }
        assertThat(counters.get(ArchiveCounter.ARCHIVE_POINTS_AGAIN)).isPositive();
    }

    @Test
    void readsBackTheLastOfWhatWasWrittenAndNothingElse() throws Exception {
        try (ArchiveStore store = opened("a.volume")) {
            store.write(rows(0, 100));
            Row other = Row.ofDouble("cpu.mean", Tags.of(Map.of("host", "h7")), TIME_MS, 1e9);
            store.write(List.of(other));
            List<Row> wanted = List.of(
                    rows(0, 100).get(7), // has another value now
                    rows(0, 100).get(8),
                    Row.ofLong("cpu.mean", Tags.of(Map.of("host", "h8")), TIME_MS, 8),
                    rows(0, 101).get(100));
            assertThat(store.read(wanted))
                    .containsExactlyInAnyOrder(other, rows(0, 100).get(8));
            assertThat(store.read(List.of())).isEmpty();
        }
    }

    @Test
    void aRowThatCannotBeArchivedIsRefusedForItsContent() {
        try (ArchiveStore store = opened("a.volume")) {
            Row bad = Row.ofDouble("m", Tags.NONE, TIME_MS, Double.NaN);
            assertThatThrownBy(() -> store.write(List.of(rows(0, 1).get(0), bad)))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.retryable()).isFalse());
        }
    }

    @Test
    void nothingOfABatchWithABadRowIsAppended() throws Exception {
        MemoryStreamStore device = new MemoryStreamStore();
        try (ArchiveStore store = store("none.volume", clock)) {
            store.open(new Volume(device));
            List<Row> batch = new ArrayList<>(rows(0, 9_999));
            batch.add(Row.ofDouble("m", Tags.NONE, TIME_MS, Double.NaN));
            assertThatThrownBy(() -> store.write(batch)).isInstanceOf(StoreException.class);
            assertThat(device.appended(0)).isZero();
            store.write(rows(0, 9_999));
            assertThat(counters.get(ArchiveCounter.ARCHIVE_POINTS)).isEqualTo(9_999);
            assertThat(counters.get(ArchiveCounter.ARCHIVE_POINTS_AGAIN)).isZero();
        }
    }

    @Test
    void aDefectIsNotTheFaultOfRows() {
        MemoryStreamStore device = new MemoryStreamStore();
        try (ArchiveStore store = store("none.volume", clock)) {
            store.open(new Volume(device));
            device.beforeAppend(() -> {
                throw new IllegalArgumentException("a defect");
            });
            assertThatThrownBy(() -> store.write(rows(0, 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a defect");
            device.beforeAppend(() -> {});
        }
    }

    @Test
    void rowsOfAWriteThatFailedDoNotGoOutWithALaterOne() throws Exception {
        MemoryStreamStore device = new MemoryStreamStore();
        try (ArchiveStore store = store("none.volume", new HastyClock())) {
            store.open(new Volume(device));
            device.refuse(true);
            assertThatThrownBy(() -> store.write(rows(0, 10))).isInstanceOf(StoreException.class);
            device.refuse(false);
            store.write(rows(1, 10));
            assertThat(ask(store, "")).containsExactlyInAnyOrderElementsOf(rows(1, 10));
        }
    }

    @Test
    void nothingWaitsOnceRowsAreAcknowledged() throws Exception {
        MemoryStreamStore device = new MemoryStreamStore();
        Metrics metrics = new Metrics("n1");
        try (ArchiveStore store = store("none.volume", clock)) {
            store.open(new Volume(device));
            VolumeReport.register(metrics, "volume_points", device);
            store.write(rows(0, 10));
            int index = device.open(new StreamSettings("points.index", "index", 0));
            device.append(index, 0, new UnsafeBuffer(new byte[8]), 0, 8);
            assertThat(new String(new PrometheusText(List.of(metrics)).bytes(), UTF_8))
                    .containsPattern("chimera_volume_records_waiting\\{[^}]*\\} 0\\.0");
        }
    }

    @Test
    void aVolumeThatIsOpenElsewhereIsRefusedWithTheReason() {
        try (ArchiveStore store = opened("a.volume")) {
            assertThat(store.stream()).isEqualTo("points");
            assertThatThrownBy(() -> opened("a.volume"))
                    .isInstanceOf(ChimeraException.class)
                    .hasMessageContaining("open elsewhere");
        }
    }

    @Test
    void noTagWritesALineOfItsOwnOrCommandsATerminal() throws Exception {
        try (ArchiveStore store = opened("a.volume");
                QueryService service = new QueryService(store, QueryService.TIME_MAX_DEFAULT, clock, counters)) {
            Map<String, String> tags = Map.of("host", "h\n1970-01-01T00:00:00Z points forged\u001b[2J\u202e", "z", "ä");
            store.write(List.of(Row.ofLong("cpu", Tags.of(tags), TIME_MS, 7)));
            assertThat(post(service, "", "text"))
                    .endsWith("points cpu host=h\\u000a1970-01-01T00:00:00Z points forged\\u001b[2J\\u202e z=ä 7\n")
                    .hasLineCount(1);
        }
    }

    @Test
    void aDeviceThatIsBusyForTooLongIsAnOutageAndLosesAndDoublesNothing() throws Exception {
        MemoryStreamStore device = new MemoryStreamStore();
        try (ArchiveStore store = store("none.volume", new HastyClock())) {
            store.open(new Volume(device));
            device.refuse(true);
            assertThatThrownBy(() -> store.write(rows(0, 10_000)))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.retryable()).isTrue())
                    .hasMessageContaining("not durable");
            device.refuse(false);
            store.write(rows(0, 10_000));
            assertThat(ask(store, "")).containsExactlyInAnyOrderElementsOf(rows(0, 10_000));
        }
    }

    @Test
    void aDeviceThatFailedIsAnOutageAndWhatItHasCanBeAskedFor() throws Exception {
        MemoryStreamStore device = new MemoryStreamStore();
        ArchiveStore store = store("none.volume", clock);
        store.open(new Volume(device));
        store.write(rows(0, 10));
        device.fail("The device is gone.");
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> store.write(rows(1, 10)))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.retryable()).isTrue())
                    .hasMessageContaining("The device is gone. Then restart the node.");
        }
        assertThat(ask(store, "host=h3")).containsExactly(rows(0, 10).get(3));
        store.close();
    }

    @Test
    void questionsAreAnsweredOverHttpWhileItIsWritten() throws Exception {
        try (ArchiveStore store = opened("a.volume");
                QueryService service = new QueryService(store, QueryService.TIME_MAX_DEFAULT, clock, counters)) {
            store.write(rows(0, 10));
            assertThat(post(service, "host=h3", "").lines().toList())
                    .hasSize(2)
                    .first()
                    .asString()
                    .contains("\"metric\":\"cpu.mean\"", "\"host\":\"h3\"", "\"value\":3.0", "\"type\":\"double\"");
            assertThat(post(service, "value>=5", "count")).contains("\"points\":5");
            assertThat(post(service, "host=h3", "text")).endsWith("points cpu.mean host=h3 3.0\n");
            assertThat(post(service, "host=h3", "pcap")).contains("capture file");
            assertThat(post(service, "host 10.0.0.1", "")).contains("At character 6");
        }
        assertThat(counters.get(ArchiveCounter.QUERY_POINTS)).isEqualTo(7);
    }

    private static String post(QueryService service, String question, String format) {
        MemoryExchange exchange = new MemoryExchange("POST", QueryService.PATH).body(question);
        if (!format.isEmpty()) {
            exchange.with("format", format);
        }
        service.handle(exchange);
        await().until(() -> exchange.status() != 0);
        return exchange.answer();
    }

    private ArchiveStore opened(String file) {
        ArchiveStore store = store(file, clock);
        store.open(new PluginContext("past", Map.of()));
        return store;
    }

    private ArchiveStore store(String file, Clock time) {
        return new ArchiveStore(
                VolumeConfig.ofPoints(
                        Sections.of(VolumeConfig.class, "devices", List.of(file), "size", ByteSize.ofMebibytes(32))),
                folder,
                10_000,
                Duration.ofSeconds(30),
                time,
                counters);
    }

    /** Advances by a tenth of a second on every read. */
    private static final class HastyClock implements Clock {
        private long elapsedNs;

        @Override
        public long nanoTime() {
            elapsedNs += 100_000_000;
            return elapsedNs;
        }

        @Override
        public long epochNs() {
            return elapsedNs;
        }
    }

    private static List<Row> rows(int cycle, int count) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(Row.ofDouble("cpu.mean", Tags.of(Map.of("host", "h" + i)), TIME_MS + 10_000L * cycle, i));
        }
        return rows;
    }

    private static List<Row> ask(ArchiveStore store, String question) {
        List<Row> rows = new ArrayList<>();
        try (ArchiveQuery<?> query = store.ask(Question.parse(question, 0))) {
            while (query.next()) {
                rows.add(((PointQuery) query).row());
            }
            assertThat(query.progress().damaged()).isZero();
        }
        return rows;
    }
}
