package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.timeNs;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.Store;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.plugin.PluginHost;
import io.chimera.common.wire.PointBytes;
import io.chimera.processor.pipeline.RefusalLimits;
import io.chimera.testkit.store.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Refused rows: during an outage of the store they wait, bad rows go to the dead letters. */
final class RefusedRowsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Row PROBE = Row.ofLong("probe", Tags.of(Map.of("probe", "probe")), 1, 1);

    /** Longer than a decision about a few rows. */
    private static final Duration DOUBT = Duration.ofSeconds(8);

    @TempDir
    private Path folder;

    private ProcessorRig rig;
    private QueueNodeFake queue;

    private void start(Map<String, ? extends Store> stores, String... storesOfPipeline) {
        PipelineConfig pipeline = Sections.of(
                PipelineConfig.class, "aggregate", ProcessorRig.functions("sum"), "stores", List.of(storesOfPipeline));
        rig = new ProcessorRig(
                folder,
                ProcessorRig.CONFIG,
                new TreeMap<>(Map.of("all", pipeline)),
                PluginHost.ofClassPath(),
                stores,
                new FlushRules(Map.of("memory", new RefusalLimits(0.1, PATIENCE)), Optional.empty()));
        queue = rig.queue(1);
    }

    private void start() {
        start(Map.of("memory", new MemoryStore()), "memory");
    }

    @AfterEach
    void closeRig() {
        rig.close();
    }

    /** Sends a cycle with the given number of groups, each with a different tag. */
    private void send(long cycle, int groups) {
        rig.begin(cycle, queue);
        List<PointBytes> points = new ArrayList<>();
        for (int i = 0; i < groups; i++) {
            points.add(Records.of("m" + i, Map.of("host", "h" + i), Map.of("x", (double) i), timeNs(cycle)));
        }
        queue.send(cycle, 0, 0, points);
        rig.run();
    }

    private static Predicate<Row> hosts(int from, int to) {
        return row -> {
            String host = row.tags().asMap().get("host");
            return host != null
                    && Integer.parseInt(host.substring(1)) >= from
                    && Integer.parseInt(host.substring(1)) < to;
        };
    }

    private List<String> letters() throws IOException {
        Path file = folder.resolve("dead-letter-rows.jsonl");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private void assertOutage(String... words) {
        assertThat(rig.node.status().storeOutage())
                .hasValueSatisfying(text -> assertThat(text).contains(words));
        assertThat(rig.node.status().storesOut()).isEqualTo(1);
        assertThat(rig.node.status().storeOutageMs()).isPositive();
    }

    @Test
    void commitsNothingWhileTheStoreRefusesEverything() throws IOException {
        start();
        rig.store.refuse(row -> true);
        send(1, 5000);
        rig.run(Duration.ofMinutes(3));
        assertThat(rig.commit(1, 0)).isNull();
        assertThat(letters()).isEmpty();
        assertThat(rig.store.attempts()).as("at most about one a second").isLessThan(300);
        assertOutage("store memory", "since 20", "does not want m");

        rig.store.refuse(row -> false);
        rig.run(DOUBT);
        assertThat(rig.commit(1, 0).rows()).isEqualTo(5000);
        assertThat(rig.store.rows()).hasSize(5000);
        assertThat(letters()).isEmpty();
        assertThat(rig.node.status().storeOutage()).isEmpty();
        assertThat(rig.node.status().storeOutageMs()).isZero();
    }

    @Test
    void commitsNothingWhileAStoreThatTookRowsBeforeRefusesEverything() throws IOException {
        start();
        send(1, 100);
        assertThat(rig.commit(1, 0).rows()).isEqualTo(100);
        rig.store.refuse(row -> true);
        for (long cycle = 2; cycle <= 4; cycle++) {
            send(cycle, 100);
        }
        rig.run(Duration.ofMinutes(3));
        assertThat(rig.commit(2, 0)).isNull();
        assertOutage("store memory", "known-good");

        rig.store.refuse(row -> false);
        rig.run(DOUBT);
        for (long cycle = 2; cycle <= 4; cycle++) {
            assertThat(rig.commit(cycle, 0).rows()).isEqualTo(100);
        }
        assertThat(rig.store.rows()).hasSize(400);
        assertThat(letters()).isEmpty();
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_REFUSED)).isZero();
    }

    @Test
    void oneBadRowOfThreeDoesNotHoldUpItsCycle() throws IOException {
        start();
        rig.store.refuse(hosts(1, 2));
        send(1, 3);
        rig.run(DOUBT);

        assertThat(rig.commit(1, 0).rows()).isEqualTo(2);
        assertThat(letters()).singleElement().asString().contains("\"m1.x.sum\"", "does not want");
        assertThat(rig.node.status().storeOutage()).isEmpty();
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_REFUSED)).isEqualTo(1);
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_POISONED)).isZero();
    }

    @Test
    void theOnlyRowOfACycleCanBeBad() throws IOException {
        MemoryStore store = new MemoryStore();
        store.probeRow(PROBE);
        store.refuse(hosts(0, 1));
        start(Map.of("memory", store), "memory");
        send(1, 1);
        rig.run(DOUBT);

        assertThat(rig.commit(1, 0).rows()).isZero();
        assertThat(letters()).hasSize(1);
        assertThat(store.rows()).containsExactly(PROBE);
    }

    @Test
    void rowsOfAStoreThatNeverTookAnyAreNotBad() throws IOException {
        start();
        rig.store.refuse(hosts(0, 1));
        send(1, 1);
        rig.run(Duration.ofMinutes(5));
        assertThat(rig.commit(1, 0)).isNull();
        assertOutage("store memory");

        send(2, 3);
        rig.run(Duration.ofSeconds(15));
        assertThat(rig.commit(1, 0).rows()).as("now a row is known to be good").isZero();
        assertThat(rig.commit(2, 0).rows()).isEqualTo(2);
        assertThat(letters()).hasSize(2);
    }

    @Test
    void moreThanRefusedMaxAreAnOutageUntilThePatienceIsOver() throws IOException {
        start();
        rig.store.probeRow(PROBE);
        rig.store.refuse(hosts(0, 50));
        send(1, 100);
        rig.run(PATIENCE.minusSeconds(5));
        assertThat(rig.commit(1, 0)).isNull();
        assertThat(letters()).isEmpty();
        assertOutage("store memory", "50 of 100 rows", "refused_max", "dead letters");
        assertThat(rig.count(ProcessorCounter.STORE_OUTAGES)).isEqualTo(1);

        rig.run(Duration.ofSeconds(20));
        assertThat(rig.commit(1, 0).rows()).isEqualTo(50);
        assertThat(letters()).hasSize(50);
        assertThat(rig.node.status().storeOutage()).isEmpty();

        send(2, 100);
        rig.run(DOUBT);
        assertThat(rig.commit(2, 0).rows()).as("these series are known by now").isEqualTo(50);
    }

    @Test
    void rowsOfASeriesKnownToBeBadTakeAsManyRefusalsButNoDoubt() throws IOException {
        start();
        int[] alone = {0};
        rig.store.beforeWrite(
                rows -> alone[0] += rows.size() == 1 && hosts(7, 8).test(rows.get(0)) ? 1 : 0);
        rig.store.refuse(hosts(7, 8));
        send(1, 100);
        rig.run(DOUBT);
        assertThat(rig.commit(1, 0).rows()).isEqualTo(99);

        alone[0] = 0;
        for (long cycle = 2; cycle <= 5; cycle++) {
            send(cycle, 100);
        }
        rig.run(Duration.ofSeconds(2));
        for (long cycle = 2; cycle <= 5; cycle++) {
            assertThat(rig.commit(cycle, 0).rows()).isEqualTo(99);
        }
        assertThat(alone[0]).as("of four cycles").isGreaterThanOrEqualTo(4 * 10);
        assertThat(letters()).hasSize(5);

        send(6, 100);
        rig.store.refuse(row -> false);
        rig.run(Duration.ofSeconds(2));
        assertThat(rig.commit(6, 0).rows()).as("it is not bad any more").isEqualTo(100);

        rig.store.refuse(hosts(7, 8));
        send(7, 100);
        rig.run(Duration.ofSeconds(2));
        assertThat(rig.commit(7, 0)).as("it is in doubt again").isNull();
    }

    @Test
    void seriesThatTheStoreTookSinceAreInDoubtAgain() throws IOException {
        start();
        rig.store.probeRow(PROBE);
        rig.store.refuse(hosts(0, 50));
        send(1, 100);
        rig.run(PATIENCE.plusSeconds(20));
        assertThat(letters()).hasSize(50);

        rig.store.refuse(hosts(0, 1)); // one row stays bad, and the other rows are good for a cycle
        send(2, 100);
        rig.run(DOUBT);
        assertThat(rig.commit(2, 0).rows()).isEqualTo(99);
        assertThat(letters()).hasSize(51);

        rig.store.refuse(hosts(0, 50));
        send(3, 100);
        rig.run(Duration.ofSeconds(20));
        assertThat(rig.commit(3, 0)).isNull();
        assertOutage("50 of 100 rows", "refused_max");
        rig.store.refuse(hosts(0, 1));
        rig.run(DOUBT.plusSeconds(8));
        assertThat(rig.commit(3, 0).rows()).isEqualTo(99);
        assertThat(letters()).hasSize(52);
    }

    @Test
    void aSeriesIsForgottenAnHourAfterItsLastBadRow() throws IOException {
        start();
        rig.store.probeRow(PROBE);
        rig.store.refuse(hosts(0, 2));
        send(1, 100);
        rig.run(DOUBT);
        assertThat(letters()).hasSize(2);
        rig.store.refuse(hosts(0, 1));
        for (long cycle = 2; cycle <= 4; cycle++) {
            rig.clock.advance(Duration.ofMinutes(25));
            send(cycle, 1); // this row is always bad, and the other series has no rows
            rig.run(DOUBT);
        }
        int before = letters().size();
        rig.store.refuse(hosts(1, 2));
        send(5, 100);
        rig.run(Duration.ofSeconds(2));
        assertThat(letters()).hasSize(before);
        assertThat(rig.commit(5, 0)).as("it is in doubt").isNull();
        rig.run(DOUBT);
        assertThat(rig.commit(5, 0).rows()).isEqualTo(99);
    }

    @Test
    void aKnownSeriesBesideAnUnknownOneTakesTheTimeOfDoubt() throws IOException {
        start();
        rig.store.refuse(hosts(0, 1));
        send(1, 100);
        rig.run(DOUBT);
        rig.store.refuse(hosts(0, 2));
        send(2, 100);
        rig.run(Duration.ofSeconds(2));
        assertThat(rig.commit(2, 0)).isNull();
        rig.run(DOUBT);
        assertThat(rig.commit(2, 0).rows()).isEqualTo(98);
    }

    @Test
    void thePatienceBeginsWhenTheOutageIsAnnouncedHoweverSlowThePassesAre() throws IOException {
        start();
        rig.store.probeRow(PROBE);
        rig.store.refuse(hosts(0, 50));
        rig.store.beforeWrite(
                rows -> rig.clock.advance(Duration.ofMillis(200))); // a pass takes 25 s; ten passes exceed the patience
        send(1, 100);
        int announced = 0;
        for (int s = 0; s < 600 && rig.commit(1, 0) == null; s++) {
            rig.run(Duration.ofSeconds(1));
            announced += rig.node.status().storeOutage().isPresent() && rig.commit(1, 0) == null ? 1 : 0;
        }
        assertThat(rig.commit(1, 0).rows()).isEqualTo(50);
        assertThat(announced).as("looks that saw the outage").isPositive();
        assertThat(rig.count(ProcessorCounter.STORE_OUTAGES)).isPositive();
    }

    @Test
    void rowsThatAreTakenLaterAreNotBad() throws IOException {
        start();
        rig.store.refuse(hosts(0, 50));
        send(1, 100);
        rig.run(PATIENCE.minusSeconds(5));
        rig.store.refuse(hosts(0, 2));
        rig.run(Duration.ofSeconds(12));

        assertThat(rig.commit(1, 0).rows()).isEqualTo(98);
        assertThat(letters()).hasSize(2);
    }

    @Test
    void randomRefusalsCostNoRow() throws IOException {
        for (int period : new int[] {2, 3}) {
            SplittableRandom random = new SplittableRandom(period);
            int[] write = {0};
            boolean[] isRandom = {true};
            start();
            rig.store.beforeWrite(rows -> {
                boolean isRefused = isRandom[0] ? random.nextInt(period) == 0 : ++write[0] % period == 0;
                rig.store.refuse(row -> isRefused);
            });
            for (long cycle = 1; cycle <= 3; cycle++) {
                send(cycle, 40);
            }
            rig.run(Duration.ofSeconds(30));
            isRandom[0] = false;
            for (long cycle = 4; cycle <= 6; cycle++) {
                send(cycle, 40);
            }
            rig.run(Duration.ofSeconds(60));

            assertThat(letters()).isEmpty();
            assertThat(rig.store.rows()).hasSize(240);
            for (long cycle = 1; cycle <= 6; cycle++) {
                assertThat(rig.commit(cycle, 0).rows()).isEqualTo(40);
            }
            rig.close();
        }
    }

    @Test
    void aGoodRowBesideBadOnesIsNotCountedTogetherWithThem() throws IOException {
        start();
        int[] refusals = {0};
        rig.store.beforeWrite(rows -> {
            rig.clock.advance(Duration.ofMillis(500)); // the minimum time of doubt is over after the first pass
            boolean isGoodAlone = rows.size() == 1 && hosts(20, 21).test(rows.get(0));
            boolean isRefusedYet = !isGoodAlone || refusals[0]++ < 5;
            rig.store.refuse(row ->
                    hosts(0, 9).test(row) || (isRefusedYet && hosts(20, 21).test(row)));
        });
        send(1, 100);
        rig.run(Duration.ofMinutes(3));

        assertThat(letters()).hasSize(9).noneMatch(letter -> letter.contains("m20."));
        assertThat(rig.commit(1, 0).rows()).isEqualTo(91);
    }

    @Test
    void aRowAtWhichTheStoreAlwaysFailsIsPoison() throws IOException {
        start();
        rig.store.failAt(hosts(77, 78));
        for (long cycle = 1; cycle <= 3; cycle++) {
            send(cycle, 1000);
        }
        rig.run(Duration.ofMinutes(3));

        for (long cycle = 1; cycle <= 3; cycle++) {
            assertThat(rig.commit(cycle, 0).rows()).isEqualTo(999);
        }
        assertThat(letters()).hasSize(3).allSatisfy(letter -> assertThat(letter).contains("m77.x.sum", "fails at"));
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_POISONED)).isEqualTo(3);
        assertThat(rig.store.attempts()).isLessThan(800);
        assertThat(rig.node.status().storeOutage()).isEmpty();
    }

    @Test
    void aStoreThatRefusesDoesNotHoldUpTheOther() throws IOException {
        MemoryStore refusing = new MemoryStore();
        MemoryStore good = new MemoryStore();
        refusing.refuse(row -> true);
        start(Map.of("memory", refusing, "good", good), "memory", "good");
        send(1, 20);
        rig.run(Duration.ofSeconds(30));
        assertThat(good.rows()).hasSize(20);
        assertThat(rig.commit(1, 0)).isNull();
        assertOutage("store memory");

        refusing.refuse(row -> false);
        rig.run(DOUBT);
        assertThat(rig.commit(1, 0).rows()).isEqualTo(40);
        assertThat(refusing.rows()).hasSize(20);
        assertThat(letters()).isEmpty();
    }
}
