package io.chimera.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.Waits;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.wire.PointBytes;
import io.chimera.processor.store.postgresql.PostgresServer;
import io.chimera.processor.store.postgresql.PostgresStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** A processor with a real PostgreSQL. */
@EnabledIf("io.chimera.processor.store.postgresql.PostgresServer#isInstalled")
final class PostgresFlushIT {
    private static PostgresServer server;

    @TempDir
    private Path folder;

    private String url;
    private ProcessorRig rig;
    private QueueNodeFake queue;

    @BeforeAll
    static void startServer() {
        server = PostgresServer.create();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private void start(String database, PipelineConfig.Delivery delivery) {
        url = server.database(database);
        PostgresStore store = new PostgresStore(url, 1000, Waits.MAX, PostgresServer.config(), Optional.empty());
        PipelineConfig pipeline = Sections.of(
                PipelineConfig.class,
                "aggregate",
                ProcessorRig.functions("count", "sum"),
                "stores",
                List.of("memory"),
                "delivery",
                delivery);
        rig = new ProcessorRig(
                folder,
                ProcessorRig.CONFIG,
                new TreeMap<>(Map.of("all", pipeline)),
                PluginHost.ofClassPath(),
                Map.of("memory", store));
        queue = rig.queue(1);
    }

    @AfterEach
    void closeRig() {
        rig.close();
    }

    private void send(long cycle, double... values) {
        List<PointBytes> points = new ArrayList<>();
        for (double value : values) {
            points.add(ProcessorRig.point("h" + value, value));
        }
        queue.send(cycle, 0, 0, points);
        rig.run();
    }

    private List<String> sums() {
        return server.query(
                url,
                "select r.value, r.version from chimera_rows r join chimera_series s on s.id = r.series"
                        + " where s.metric = 'cpu.user.sum' order by 1");
    }

    @Test
    void commitsACycleAfterItsTransactionAndReplaysIt() {
        start("cycles", PipelineConfig.Delivery.EXACTLY_ONCE);
        rig.begin(1, queue);
        send(1, 1, 2, 3);
        assertThat(rig.commit(1, 0).rows()).isEqualTo(6);
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_VERIFIED)).isEqualTo(6);
        assertThat(sums()).containsExactly("1 1", "2 1", "3 1");

        long replay = Cycle.REPLAYS + 1;
        rig.beginReplay(replay, 1, "", queue);
        send(replay, 1, 2, 3);
        assertThat(sums()).containsExactly("1 " + replay, "2 " + replay, "3 " + replay);
        assertThat(server.query(url, "select count(*) from chimera_rows")).containsExactly("6");
    }

    @Test
    void rowsThatAConstraintRefusesGoToTheDeadLetters() throws Exception {
        start("letters", PipelineConfig.Delivery.AT_LEAST_ONCE);
        rig.begin(1, queue);
        send(1, 1);
        server.execute(url, "alter table chimera_rows add check (value <> 13)");
        rig.begin(2, queue);
        send(2, 12, 13, 14);
        assertThat(rig.commit(2, 0)).isNull();
        rig.run(Duration.ofSeconds(20));

        assertThat(rig.commit(2, 0).rows()).isEqualTo(5);
        assertThat(sums()).containsExactly("1 1", "12 2", "14 2");
        assertThat(Files.readString(folder.resolve("dead-letter-rows.jsonl")).lines())
                .hasSize(1)
                .first()
                .asString()
                .contains("23514");
        assertThat(rig.node.status().storeOutage()).isEmpty();
    }

    @Test
    void waitsForADatabaseThatIsAway() {
        start("away", PipelineConfig.Delivery.AT_LEAST_ONCE);
        rig.begin(1, queue);
        send(1, 1);
        server.kill();
        rig.begin(2, queue);
        send(2, 2);
        rig.run(Duration.ofSeconds(5));
        assertThat(rig.commit(2, 0)).isNull();
        assertThat(rig.node.status().storeOutage())
                .hasValueSatisfying(text -> assertThat(text).contains("Start the database"));

        server.start();
        rig.run(Duration.ofSeconds(5));
        assertThat(rig.commit(2, 0).rows()).isEqualTo(2);
        assertThat(sums()).containsExactly("1 1", "2 2");
        assertThat(rig.node.status().storeOutage()).isEmpty();
    }
}
