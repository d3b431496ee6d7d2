package io.chimera.processor.store.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.Row;
import io.chimera.api.model.ShardIndex;
import io.chimera.api.spi.ShardWrite;
import io.chimera.api.spi.StoreException;
import io.chimera.common.agent.Waits;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/**
 * A process that writes is killed with SIGKILL between any two calls, or within a call; another attempt and a replay
 * with another number of shards follow. Property {@code chimera.kills}: number of kills, e.g. 200.
 */
@EnabledIf("io.chimera.processor.store.postgresql.PostgresServer#isInstalled")
final class PostgresKillIT {
    /** A kill before each call and after the last, or within the call, in turn. */
    private static final int KILLS = Integer.getInteger("chimera.kills", PostgresWriter.calls() + 1);

    private static PostgresServer server;
    private static String url;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.create();
        url = server.database("kills");
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    @Test
    void leavesEachRowOnceAfterEveryKill() throws Exception {
        try (PostgresStore store = new PostgresStore(url, 1000, Waits.MAX, PostgresServer.config(), Optional.empty())) {
            store.write(List.of()); // creates the tables
            for (int kill = 0; kill < KILLS; kill++) {
                long cycle = 1L + kill;
                int survived = kill % (PostgresWriter.calls() + 1);
                boolean isWithin = kill % 2 == 1 && survived < PostgresWriter.calls();
                runAndKill(cycle, survived, isWithin);
                assertThat(stored(cycle).size())
                        .as("whole shards only: kill %d after %d calls", kill, survived)
                        .isIn(0, PostgresRows.ROWS / 2, PostgresRows.ROWS);

                flush(store, cycle, PostgresWriter.SHARDS, 7, false);
                assertThat(stored(cycle)).as("another attempt").isEqualTo(expected(cycle));
                flush(store, cycle, 3 + kill % 3, 5, true);
                assertThat(stored(cycle)).as("a replay with more shards").isEqualTo(expected(cycle));
            }
        }
        assertThat(server.query(url, "select count(*) from chimera_rows"))
                .containsExactly(Integer.toString(KILLS * PostgresRows.ROWS));
    }

    private static void runAndKill(long cycle, int survived, boolean isWithin)
            throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + Path.of(System.getProperty("basedir", "")).resolve("../conf/jvm.options"),
                        "-XX:TieredStopAtLevel=1",
                        "-Xms64m",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        PostgresWriter.class.getName(),
                        url,
                        Long.toString(cycle))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader steps = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
                OutputStream permits = process.getOutputStream()) {
            for (int call = 0; call < survived; call++) {
                assertThat(isAtNextCall(steps)).as("call %d", call).isTrue();
                permits.write('\n');
                permits.flush();
            }
            // the last permitted call has returned
            assertThat(isAtNextCall(steps)).isEqualTo(survived < PostgresWriter.calls());
            if (isWithin) {
                permits.write('\n');
                permits.flush();
            }
            kill(process); // before the streams close: the process would notice their end
        } finally {
            kill(process);
        }
        // the database notices the end of the connection, or ends the last call
        Waits.await().until(() -> server.query(url, "select count(*) from pg_stat_activity where datname = 'kills'")
                .equals(List.of("2")));
    }

    private static void kill(Process process) throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(Waits.SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
    }

    /** Waits for the next call of the process; false when the process has ended. */
    private static boolean isAtNextCall(BufferedReader steps) throws IOException {
        String line = steps.readLine();
        while (line != null && !line.equals("next")) {
            line = steps.readLine();
        }
        return line != null;
    }

    private static void flush(PostgresStore store, long cycle, int shards, int batch, boolean isReplay)
            throws StoreException {
        for (int index = 0; index < shards; index++) {
            ShardIndex shard = new ShardIndex(index, shards);
            List<Row> rows = PostgresRows.of(cycle, shard);
            ShardWrite identity = isReplay ? PostgresRows.replay(cycle, shard) : PostgresRows.live(cycle, shard, 1);
            store.begin(identity);
            for (int from = 0; from < rows.size(); from += batch) {
                store.write(rows.subList(from, Math.min(rows.size(), from + batch)));
            }
            store.commit(identity);
        }
    }

    private static List<String> stored(long cycle) {
        return server.query(
                url,
                "select metric, tags ->> 'host', is_long, value from chimera_points where time = to_timestamp("
                        + PostgresRows.timeMs(cycle) / 1000 + ") order by metric, tags ->> 'host' collate \"C\"");
    }

    private static List<String> expected(long cycle) {
        List<String> rows = new ArrayList<>();
        for (Row row : PostgresRows.of(cycle, new ShardIndex(0, 1))) {
            double value = row.asDouble();
            String text = value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
            rows.add(row.metric() + " " + row.tags().get("host") + " " + (row.isLong() ? "t" : "f") + " " + text);
        }
        return rows;
    }
}
