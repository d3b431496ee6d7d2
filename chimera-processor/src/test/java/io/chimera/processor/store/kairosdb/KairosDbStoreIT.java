package io.chimera.processor.store.kairosdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.StoreException;
import io.chimera.common.agent.Waits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The store with a real KairosDB. */
final class KairosDbStoreIT {
    private static final long TIME_MS = 1_700_000_000_000L;
    private static final Tags HOST = Tags.of(Map.of("host", "a"));

    private static final Tags EMPTY_TAG = Tags.of(Map.of("host", ""));

    @TempDir
    private static Path folder;

    private static KairosDbServer server;

    @BeforeAll
    static void startServer() {
        server = KairosDbServer.start(folder);
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static KairosDbStore store(boolean gzip) {
        return new KairosDbStore(server.url(), 1000, Waits.MAX, gzip);
    }

    private static Map<String, Map<Long, String>> read(String metric, String... tags) {
        return server.read(metric, List.of(tags), TIME_MS - 1_000_000, TIME_MS + 1_000_000);
    }

    private static void awaitValues(String metric, Map<String, Map<Long, String>> expected, String... tags) {
        Waits.await().untilAsserted(() -> assertThat(read(metric, tags)).isEqualTo(expected));
    }

    @Test
    void storesLongsAndDoublesExactly() throws StoreException {
        try (KairosDbStore store = store(true)) {
            store.write(List.of(
                    Row.ofLong("exact.count", HOST, TIME_MS, Long.MAX_VALUE),
                    Row.ofDouble("exact.mean", HOST, TIME_MS, 0.1 + 0.2),
                    Row.ofDouble("exact.sum", HOST, TIME_MS, 1e300)));
        }

        awaitValues("exact.count", Map.of("{host=a}", Map.of(TIME_MS, "9223372036854775807")));
        awaitValues("exact.mean", Map.of("{host=a}", Map.of(TIME_MS, "0.30000000000000004")));
        awaitValues("exact.sum", Map.of("{host=a}", Map.of(TIME_MS, "1.0E300")));
    }

    @Test
    void overwritesRowsOfEqualKey() throws StoreException {
        try (KairosDbStore store = store(true)) {
            for (int i = 0; i < 3; i++) {
                store.write(List.of(Row.ofDouble("over.mean", HOST, TIME_MS, i)));
                store.write(List.of(Row.ofDouble("over.mean", HOST, TIME_MS + 1, i)));
            }
        }

        awaitValues("over.mean", Map.of("{host=a}", Map.of(TIME_MS, "2", TIME_MS + 1, "2")));
    }

    @Test
    void storesManyPointsOfOneSeriesInOneBatch() throws StoreException {
        List<Row> rows = new ArrayList<>();
        Map<Long, String> expected = new TreeMap<>();
        for (int i = 0; i < 1000; i++) {
            rows.add(Row.ofLong("many.count", HOST, TIME_MS + i, i));
            expected.put(TIME_MS + i, String.valueOf(i));
        }
        try (KairosDbStore store = store(false)) {
            store.write(rows);
        }

        awaitValues("many.count", Map.of("{host=a}", expected));
    }

    @Test
    void storesNamesWithAnyCharacter() throws StoreException {
        String odd =
                "colon:equals=comma,space quote\"back\\slash/per%cent{curly}[square] größe 😀 tab\t nul\u0000;|&?#@'";
        Tags tags = Tags.of(Map.of("host", odd, odd, "b"));
        try (KairosDbStore store = store(true)) {
            store.write(List.of(Row.ofLong("odd." + odd, tags, TIME_MS, 7)));
        }

        awaitValues("odd." + odd, Map.of(tags.asMap().toString(), Map.of(TIME_MS, "7")));
    }

    @Test
    void saysWhatKairosDbSaysOfContentItRefuses() {
        try (KairosDbStore store = store(true)) {
            assertThatThrownBy(() -> store.write(List.of(Row.ofLong("empty.tag", EMPTY_TAG, TIME_MS, 1))))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.retryable()).isFalse())
                    .hasMessageContaining("metric[0](name=empty.tag).tag[host].value may not be empty")
                    .hasMessageContaining(server.url());
        }
    }

    @Test
    void survivesRefusalsWithLongAnswers() throws StoreException {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            rows.add(Row.ofLong("empty.tag." + i, EMPTY_TAG, TIME_MS, 1));
        }
        try (KairosDbStore store = store(true)) {
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> store.write(rows))
                        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.retryable())
                                .isFalse());
            }
            store.write(List.of(Row.ofLong("after.count", HOST, TIME_MS, 1)));
        }

        awaitValues("after.count", Map.of("{host=a}", Map.of(TIME_MS, "1")));
    }

    @Test
    void readsBackWhatItWrote() throws StoreException {
        String odd = "colon:equals=comma,space quote\"back\\slash größe 😀";
        Tags two = Tags.of(Map.of("host", "a", "dc", "x"));
        List<Row> rows = new ArrayList<>(List.of(
                Row.ofLong("back.count", HOST, TIME_MS, Long.MAX_VALUE),
                Row.ofDouble("back.value", HOST, TIME_MS, 0.1 + 0.2),
                Row.ofDouble("back.value", two, TIME_MS, 1e300),
                Row.ofDouble("back.value", Tags.of(Map.of("host", odd)), TIME_MS, -1.5e-300),
                Row.ofDouble("back.value", Tags.of(Map.of("dc", "x")), TIME_MS, -0.0),
                Row.ofDouble("back." + odd, HOST, TIME_MS, Double.MIN_VALUE),
                Row.ofDouble("back.max", HOST, TIME_MS, Double.MAX_VALUE)));
        for (int i = 0; i < 12_000; i++) {
            rows.add(Row.ofDouble("back.many." + i % 250, Tags.of(Map.of("host", "h" + i)), TIME_MS, Math.sqrt(i)));
        }
        Row absent = Row.ofLong("back.absent", HOST, TIME_MS, 1);
        Row elsewhere = Row.ofLong("back.count", two, TIME_MS, 1);
        try (KairosDbStore store = new KairosDbStore(server.url(), 20_000, Waits.MAX, true)) {
            store.write(rows);
            List<Row> wanted = new ArrayList<>(rows);
            wanted.add(absent);
            wanted.add(elsewhere);
            Waits.await().untilAsserted(() -> assertThat(store.read(wanted))
                    .usingElementComparator(KairosDbStoreIT::compare)
                    .containsExactlyInAnyOrderElementsOf(rows));

            Row other = Row.ofDouble("back.max", HOST, TIME_MS, 7);
            assertThat(store.read(List.of(other)))
                    .singleElement()
                    .extracting(Row::asDouble)
                    .isEqualTo(Double.MAX_VALUE);
        }
    }

    /** Compares rows; both zeros are equal. */
    private static int compare(Row one, Row other) {
        boolean isSame = one.asDouble() == other.asDouble()
                && one.metric().equals(other.metric())
                && one.tags().equals(other.tags())
                && one.isLong() == other.isLong();
        return isSame ? 0 : 1;
    }

    @Test
    void tellsSeriesApartThatDifferInATagTheOthersDoNotHave() throws StoreException {
        Tags more = Tags.of(Map.of("host", "a", "dc", "x"));
        Row mine = Row.ofLong("apart.count", HOST, TIME_MS, 1);
        try (KairosDbStore store = store(true)) {
            store.write(List.of(mine, Row.ofLong("apart.count", more, TIME_MS, 2)));

            Waits.await()
                    .untilAsserted(() -> assertThat(store.read(List.of(mine))).containsExactly(mine));
        }
    }

    @Test
    void answersWhenItIsAskedWhetherItTakesRows() throws StoreException {
        try (KairosDbStore store = store(true)) {
            for (int i = 0; i < 5; i++) {
                store.write(List.of());
            }
        }
    }

    @Test
    void wantsToTryAgainWhereNoKairosDbAnswers() throws StoreException {
        try (KairosDbStore wrongPath =
                new KairosDbStore(server.url() + "/nowhere", 1000, Duration.ofSeconds(2), true)) {
            for (int i = 0; i < 5; i++) { // more than the client has connections
                assertThatThrownBy(() -> wrongPath.write(List.of(Row.ofLong("x", HOST, TIME_MS, 1))))
                        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.retryable())
                                .isTrue())
                        .hasMessageContaining("answered 404")
                        .hasMessageContaining("url of the store");
            }
        }
    }
}
