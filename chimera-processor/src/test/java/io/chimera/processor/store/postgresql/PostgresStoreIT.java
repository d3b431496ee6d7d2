package io.chimera.processor.store.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.chimera.api.model.Row;
import io.chimera.api.model.ShardIndex;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.ShardWrite;
import io.chimera.api.spi.StoreException;
import io.chimera.common.agent.Waits;
import io.chimera.common.config.PostgresConfig;
import io.chimera.common.config.PostgresConfig.Tables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** The store with a real PostgreSQL: values, refusals, outages. */
@EnabledIf("io.chimera.processor.store.postgresql.PostgresServer#isInstalled")
final class PostgresStoreIT {
    private static final long TIME_MS = 1_700_000_000_000L;
    private static final ShardIndex SHARD = new ShardIndex(0, 1);

    private static PostgresServer server;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.create();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static PostgresStore store(String url) {
        return store(url, PostgresServer.config());
    }

    private static PostgresStore store(String url, PostgresConfig config) {
        return new PostgresStore(url, 1000, Waits.MAX, config, Optional.empty());
    }

    private static Row row(String host, double value) {
        return Row.ofDouble("m.x.mean", Tags.of(Map.of("host", host)), TIME_MS, value);
    }

    private interface Call {
        void run() throws StoreException;
    }

    private static StoreException failure(Call call) {
        return catchThrowableOfType(StoreException.class, call::run);
    }

    @Test
    void keepsValuesAndTextsExactly() throws StoreException {
        List<Row> rows = new ArrayList<>();
        for (String text : List.of("", " ", "a\"b\\c\n\t{}[]'%,=", "é€😀", "a".repeat(70_000), "\u0001\u007f\uffff")) {
            Tags tags = Tags.of(Map.of("t", text, text, "v"));
            rows.add(Row.ofDouble("m" + text, tags, TIME_MS, rows.size() / 3.0));
            rows.add(Row.ofLong("m" + text, tags, TIME_MS, Long.MAX_VALUE - rows.size()));
        }
        for (double value : new double[] {Double.MAX_VALUE, -Double.MAX_VALUE, Double.MIN_VALUE, 0.1 + 0.2, 1e-300}) {
            rows.add(row("d" + rows.size(), value));
        }
        rows.add(Row.ofLong("min", Tags.NONE, TIME_MS, Long.MIN_VALUE));
        try (PostgresStore store = store(server.database("exact"))) {
            ShardWrite shard = PostgresRows.live(1, SHARD, 0);
            store.begin(shard);
            store.write(rows);
            store.commit(shard);
            assertThat(store.read(rows)).containsExactlyInAnyOrderElementsOf(rows);
        }
    }

    @Test
    void writesAndReadsALargeShardInPieces() throws StoreException {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < 120_000; i++) {
            rows.add(row("h" + i, i));
        }
        String url = server.database("large");
        try (PostgresStore store = store(url)) {
            ShardWrite shard = PostgresRows.live(1, SHARD, 0);
            store.begin(shard);
            for (int from = 0; from < rows.size(); from += 10_000) {
                store.write(rows.subList(from, from + 10_000));
            }
            store.commit(shard);
            assertThat(store.read(rows)).hasSize(rows.size());
        }
        assertThat(server.query(url, "select count(*), sum(value) from chimera_points"))
                .containsExactly("120000 7199940000");
    }

    @Test
    void refusesContentThatPostgresCannotHold() throws StoreException {
        try (PostgresStore store = store(server.database("content"))) {
            for (Row bad : List.of(
                    row("\0", 1),
                    row("\ud83d", 1),
                    row("\ude00", 1),
                    Row.ofLong("m", Tags.NONE, Long.MAX_VALUE, 1),
                    Row.ofLong("m", Tags.NONE, 9_223_372_036_854_775L + 946_684_800_000L, 1),
                    Row.ofLong("m", Tags.NONE, -300_000_000_000_000L, 1))) {
                StoreException refusal = failure(() -> store.write(List.of(row("good", 1), bad)));
                assertThat(refusal.retryable()).as("%s: %s", bad, refusal).isFalse();
                store.write(List.of());
            }
            store.write(List.of(row("good", 1)));
        }
    }

    @Test
    void findsRowsThatAConstraintRefusesOnlyAtTheCommit() throws StoreException {
        String url = server.database("checked");
        try (PostgresStore store = store(url)) {
            store.write(List.of());
            server.execute(url, "alter table chimera_rows add check (value <> 13)");
            List<Row> rows = List.of(row("a", 12), row("b", 13), row("c", 14));
            ShardWrite shard = PostgresRows.live(1, SHARD, 0);
            store.begin(shard);
            store.write(rows);
            assertThat(failure(() -> store.commit(shard)).getMessage()).contains("23514");

            store.begin(shard);
            assertThat(failure(() -> store.write(rows)).retryable()).isFalse();
            store.write(List.of());
            store.write(rows.subList(0, 1));
            assertThat(failure(() -> store.write(rows.subList(1, 2))).retryable())
                    .isFalse();
            store.write(rows.subList(2, 3));
            store.commit(shard);
        }
        assertThat(server.query(url, "select value from chimera_points order by 1"))
                .containsExactly("12", "14");
    }

    @Test
    void findsRowsThatADeferredConstraintRefuses() throws StoreException {
        String url = server.database("deferred");
        try (PostgresStore store = store(url)) {
            store.write(List.of());
            server.execute(
                    url,
                    "create table allowed (value double precision primary key); insert into allowed values (12), (14);"
                            + " alter table chimera_rows add foreign key (value) references allowed"
                            + " deferrable initially deferred");
            List<Row> rows = List.of(row("a", 12), row("b", 13), row("c", 14));
            ShardWrite shard = PostgresRows.live(1, SHARD, 0);
            store.begin(shard);
            store.write(rows);
            assertThat(failure(() -> store.commit(shard)).getMessage()).contains("23503");

            store.begin(shard);
            assertThat(failure(() -> store.write(rows)).retryable()).isFalse();
            store.write(rows.subList(0, 1));
            assertThat(failure(() -> store.write(rows.subList(1, 2))).retryable())
                    .isFalse();
            store.write(rows.subList(2, 3));
            store.commit(shard);
        }
        assertThat(server.query(url, "select value from chimera_points order by 1"))
                .containsExactly("12", "14");
    }

    /** The flusher finds a bad row only if the probe is accepted. */
    @Test
    void acceptsTheProbeWithoutAPartitionForTheProbe() throws StoreException {
        String url = server.database("partitions");
        List<String> create = new PostgresTables("public").create();
        server.execute(url, create.get(0));
        server.execute(url, create.get(1) + " partition by range (time)");
        server.execute(
                url,
                "create table part partition of chimera_rows for values from ('2023-11-14 22:13:21+00') to"
                        + " ('2023-11-14 22:13:25+00')");
        server.execute(url, create.get(2));
        Row good = Row.ofLong("m", Tags.NONE, TIME_MS + 1000, 1);
        Row bad = row("a", 1);
        try (PostgresStore store = store(url)) {
            store.write(List.of());
            ShardWrite shard = PostgresRows.live(1, SHARD, 0); // without a partition for the time of the shard
            store.begin(shard);
            store.write(List.of(bad, good));
            assertThat(failure(() -> store.commit(shard)).getMessage()).contains("23514");

            store.begin(shard);
            assertThat(failure(() -> store.write(List.of(bad, good))).retryable())
                    .isFalse();
            store.write(List.of());
            assertThat(failure(() -> store.write(List.of(bad))).retryable()).isFalse();
            store.write(List.of());
            store.write(List.of(good));
            store.commit(shard);
            assertThat(store.read(List.of(good))).containsExactly(good);
        }
        assertThat(server.query(url, "select count(*) from chimera_points")).containsExactly("1");
    }

    @Test
    void namesTheRemedyForMissingTablesAndAWrongPassword() throws StoreException {
        String url = server.database("missing");
        String password = PostgresServer.config().password();
        try (PostgresStore store = store(url, PostgresServer.config(password, Tables.EXISTING))) {
            StoreException outage = failure(() -> store.begin(PostgresRows.live(1, SHARD, 0)));
            assertThat(outage.retryable()).isTrue();
            assertThat(outage.getMessage()).contains("\"public\".chimera_rows").contains("postgresql.tables");
            new PostgresTables("public").create().forEach(command -> server.execute(url, command));
            store.write(List.of(row("a", 1)));
        }
        try (PostgresStore store = store(url, PostgresServer.config("wrong-password", Tables.EXISTING))) {
            StoreException outage = failure(() -> store.write(List.of()));
            assertThat(outage.retryable()).isTrue();
            assertThat(outage.getMessage())
                    .contains("28P01")
                    .contains("password")
                    .doesNotContain("wrong-password");
        }
        assertThat(server.logText()).doesNotContain(password);
    }

    @Test
    void usesASchemaWhoseNameIsAWordOfSql() throws StoreException {
        String url = server.database("words");
        server.execute(url, "create schema \"user\"");
        PostgresConfig access = PostgresServer.config();
        PostgresConfig inUser = new PostgresConfig(access.user(), access.password(), "user", access.tables());
        try (PostgresStore store = store(url, inUser)) {
            store.write(List.of(row("a", 1)));
            assertThat(store.read(List.of(row("a", 1)))).hasSize(1);
        }
        assertThat(server.query(url, "select value from \"user\".chimera_points"))
                .containsExactly("1");
    }

    @Test
    void needsADatabaseInUtf8() {
        server.execute("create database latin encoding 'LATIN1' template template0");
        try (PostgresStore store = store("postgresql://127.0.0.1:" + server.port() + "/latin")) {
            StoreException outage = failure(() -> store.write(List.of()));
            assertThat(outage.retryable()).isTrue();
            assertThat(outage.getMessage()).contains("UTF8");
        }
    }

    @Test
    void beginsAgainAfterTheEndOfTheConnection() throws StoreException {
        String url = server.database("cut");
        try (PostgresStore store = store(url)) {
            ShardWrite shard = PostgresRows.live(1, SHARD, 0);
            store.begin(shard);
            store.write(List.of(row("a", 1)));
            server.disconnect("cut");
            assertThat(failure(() -> store.write(List.of(row("b", 1)))).retryable())
                    .isTrue();
            assertThat(failure(() -> store.write(List.of(row("b", 1)))).retryable())
                    .as("the first batch is lost, so the shard has to begin again")
                    .isTrue();
            store.abort(shard);

            store.begin(shard);
            store.write(List.of(row("a", 1), row("b", 1)));
            store.commit(shard);
        }
        assertThat(server.query(url, "select count(*) from chimera_points")).containsExactly("2");
    }

    @Test
    void noShardIsOpenAfterACommitWithoutConnection() throws StoreException {
        try (PostgresStore store = store(server.database("ended"))) {
            ShardWrite shard = PostgresRows.live(1, SHARD, 0);
            store.begin(shard);
            server.disconnect("ended");
            assertThat(failure(() -> store.write(List.of(row("a", 1)))).retryable())
                    .isTrue();
            assertThat(failure(() -> store.commit(shard)).retryable()).isTrue();

            store.begin(shard);
            store.write(List.of(row("a", 1)));
            store.commit(shard);
            assertThat(store.read(List.of(row("a", 1)))).hasSize(1);
        }
    }

    /** Both attempts of a shard wait for each other's rows in the same order. */
    @Test
    void twoAttemptsAtTheSameTimeDoNotBlockEachOther() throws Exception {
        String url = server.database("attempts");
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            for (long cycle = 1; cycle <= 20; cycle++) {
                long number = cycle;
                List<Future<?>> attempts = new ArrayList<>();
                for (int attempt = 0; attempt < 2; attempt++) {
                    int version = attempt;
                    attempts.add(threads.submit(() -> {
                        flush(url, number, version);
                        return null;
                    }));
                }
                for (Future<?> attempt : attempts) {
                    attempt.get();
                }
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(server.query(url, "select count(*) from chimera_points"))
                .containsExactly(Integer.toString(20 * PostgresRows.ROWS));
    }

    private static void flush(String url, long cycle, int attempt) throws StoreException {
        List<Row> rows = PostgresRows.of(cycle, SHARD);
        ShardWrite shard = PostgresRows.live(cycle, SHARD, attempt);
        try (PostgresStore store = store(url)) {
            store.begin(shard);
            for (int from = 0; from < rows.size(); from += 3 + attempt) {
                store.write(rows.subList(from, Math.min(rows.size(), from + 3 + attempt)));
            }
            store.commit(shard);
        }
    }

    /** An equal row costs no new version of the row in the table. */
    @Test
    void aRepeatedShardChangesNoRow() throws StoreException {
        String url = server.database("equal");
        flush(url, 1, 0);
        List<String> places = server.query(url, "select ctid from chimera_rows order by 1");
        flush(url, 1, 1);
        assertThat(server.query(url, "select ctid from chimera_rows order by 1"))
                .isEqualTo(places);
    }
}
