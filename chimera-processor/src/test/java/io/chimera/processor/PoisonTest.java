package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.PROCESSOR;
import static io.chimera.processor.ProcessorRig.timeMs;
import static io.chimera.processor.ProcessorRig.timeNs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.chimera.api.model.Row;
import io.chimera.common.config.ProcessorConfig.Warehouse;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.wire.PointBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Records and results at which an aggregator plugin throws (rule 10 of the protocol). */
final class PoisonTest {
    private static final long OTHER = 0xBADL;

    @TempDir
    private Path folder;

    private ProcessorRig rig;
    private QueueNodeFake queue;

    private void start(Warehouse where) {
        closeRig();
        rig = new ProcessorRig(
                folder,
                ProcessorRig.config(where, 100_000),
                ProcessorRig.pipeline(ProcessorRig.functions("hostile", "count", "sum")));
        queue = rig.queue(1);
        rig.begin(1, queue);
    }

    @AfterEach
    void closeRig() {
        if (rig != null) {
            rig.close();
            rig = null;
        }
    }

    private static PointBytes point(String host, double value) {
        return Records.of("cpu", Map.of("host", host), Map.of("user", value), timeNs(1));
    }

    private static List<PointBytes> points(double... values) {
        List<PointBytes> points = new ArrayList<>();
        for (double value : values) {
            points.add(point("a", value));
        }
        return points;
    }

    private static String row(String function) {
        return "cpu.user." + function + "{host=a}@" + timeMs(1);
    }

    private void send(List<PointBytes> points) {
        queue.send(1, 0, 0, points);
        rig.run();
    }

    private List<String> letters(String file) {
        try {
            return Files.readAllLines(folder.resolve(file));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @EnumSource(Warehouse.class)
    void rejectsTheRecordsThatAnAggregatorThrowsAtAndCommitsTheOthers(Warehouse where) throws IOException {
        start(where);
        List<PointBytes> points = points(1, 2, HostileAggregator.THROWS, 3, HostileAggregator.OVERFLOWS_THE_STACK, 4);
        send(points);
        assertThat(queue.takeAnswers()).as("asked for again at once").containsExactly("NEED 1/0/0");
        assertThat(rig.errors).isEmpty();

        send(points);

        assertThat(queue.takeAnswers()).containsExactly("OK 1/0/0");
        assertThat(rig.store.values()).isEqualTo(Map.of(row("hostile"), 10.0, row("sum"), 10.0, row("count"), 4.0));
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(4);
        assertThat(rig.commit(1, 0).accounts().rejected()).isEqualTo(2);
        assertThat(rig.count(ProcessorCounter.STAGING_POINTS_POISONED)).isEqualTo(2);
        assertThat(rig.count(ProcessorCounter.STAGING_PARTS_FAILED)).isEqualTo(1);
        assertThat(rig.errors).hasSize(2).allSatisfy(e -> assertThat(e)
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("pipeline all")
                .hasMessageContaining("plugin"));
        List<String> letters = letters("dead-letter-points.jsonl");
        assertThat(letters).hasSize(2);
        JsonNode letter = new ObjectMapper().readTree(letters.get(0));
        assertThat(letter.at("/reason").asText()).contains("hostile to 666");
        assertThat(letter.at("/metric").asText()).isEqualTo("cpu");
        assertThat(letter.at("/tags/host").asText()).isEqualTo("a");
        assertThat(letter.at("/fields/user").asDouble()).isEqualTo(666);
        assertThat(letter.at("/timestamp_ns").asLong()).isEqualTo(timeNs(1));
        assertThat(letter.at("/pipeline").asText()).isEqualTo("all");
    }

    @Test
    void letterNamesAllTagsOfThePointAndNotThoseOfItsGroup() throws IOException {
        AggregateConfig byHost =
                Sections.of(AggregateConfig.class, "by", List.of("host"), "functions", List.of("hostile", "sum"));
        rig = new ProcessorRig(folder, ProcessorRig.CONFIG, ProcessorRig.pipeline(byHost));
        queue = rig.queue(1);
        rig.begin(1, queue);
        List<PointBytes> points = new ArrayList<>();
        for (double value : new double[] {1, HostileAggregator.THROWS, 2}) {
            Map<String, String> tags = Map.of("host", "a", "core", "c" + (int) value);
            points.add(Records.of("cpu", tags, Map.of("user", value, "note", "why"), timeNs(1)));
        }
        send(points);
        send(points);

        assertThat(rig.store.values()).isEqualTo(Map.of(row("hostile"), 3.0, row("sum"), 3.0));
        JsonNode letter =
                new ObjectMapper().readTree(letters("dead-letter-points.jsonl").get(0));
        assertThat(letter.at("/tags/host").asText()).isEqualTo("a");
        assertThat(letter.at("/tags/core").asText()).isEqualTo("c666");
        assertThat(letter.at("/fields/note").asText()).isEqualTo("why");
    }

    @ParameterizedTest
    @EnumSource(Warehouse.class)
    void rejectsWhatItThrowsAtBecauseOfTheRecordsBefore(Warehouse where) {
        start(where);
        List<PointBytes> points = points(HostileAggregator.ARMS, 5, 7, HostileAggregator.ARMS, 9);
        send(points);
        send(points);

        // 5 throws and leaves the state armed, so 7 and all later values throw as well
        assertThat(rig.commit(1, 0).accounts().rejected()).isEqualTo(4);
        assertThat(rig.store.values()).containsEntry(row("hostile"), 13.0).containsEntry(row("count"), 1.0);
    }

    @Test
    void countsRecordThatIsPoisonInSomeFieldsAsRejectedOnceAndWithNoneOfItsFields() {
        start(Warehouse.ON_HEAP);
        List<PointBytes> points = new ArrayList<>(points(1));
        points.add(Records.of(
                "cpu",
                Map.of("host", "b"),
                Map.of("fine", 1.0, "user", HostileAggregator.THROWS, "also", 2.0),
                timeNs(1)));
        send(points);
        send(points);

        assertThat(rig.commit(1, 0).accounts().rejected()).isEqualTo(1);
        assertThat(rig.store.rows())
                .extracting(Row::metric)
                .containsExactly("cpu.user.hostile", "cpu.user.count", "cpu.user.sum");
    }

    @Test
    void writesTheSameBitsInEveryReplayWhoeverReplays() {
        List<PointBytes> points = new ArrayList<>();
        Random random = new Random(5);
        for (int i = 0; i < 500; i++) {
            double value = random.nextInt(20) == 0 ? HostileAggregator.THROWS : random.nextGaussian() * 1e9;
            points.add(point("h" + random.nextInt(7), value));
        }
        List<List<Row>> rows = new ArrayList<>();
        List<Long> rejected = new ArrayList<>();
        for (int run = 0; run < 4; run++) {
            start(run % 2 == 0 ? Warehouse.ON_HEAP : Warehouse.OFF_HEAP);
            if (run >= 2) { // records are rehearsed from the beginning
                rig.assign(1, 1, List.of(1L), List.of(PROCESSOR));
                rig.assign(1, 2, List.of(1L), List.of(PROCESSOR));
                rig.run();
            } else {
                send(points);
            }
            send(points);
            rows.add(rig.store.rows());
            rejected.add(rig.commit(1, 0).accounts().rejected());
        }

        assertThat(rows.get(0)).hasSize(21);
        assertThat(rows).allSatisfy(run -> assertThat(run).isEqualTo(rows.get(0)));
        assertThat(rejected).containsOnly(rejected.get(0)).doesNotContain(0L);
    }

    @Test
    void recordThatKillsProcessesIsRejectedByTheThirdThatGetsTheShard() {
        start(Warehouse.ON_HEAP);
        List<PointBytes> points = points(1, HostileAggregator.FILLS_THE_HEAP, 2);
        assertThatThrownBy(() -> send(points)).isInstanceOf(OutOfMemoryError.class);

        start(Warehouse.ON_HEAP);
        rig.assign(1, 1, List.of(1L), List.of(OTHER));
        rig.assign(1, 2, List.of(1L), List.of(PROCESSOR));
        rig.run();
        send(points);

        assertThat(rig.commit(1, 0).accounts().rejected()).isEqualTo(1);
        assertThat(rig.store.values()).containsEntry(row("hostile"), 3.0);
        assertThat(rig.count(ProcessorCounter.STAGING_PARTS_FAILED)).isZero();
    }

    @Test
    void resultThatCannotBeComputedGoesToTheDeadLettersAndItsShardIsCommitted() throws IOException {
        start(Warehouse.ON_HEAP);
        send(List.of(point("a", 999), point("a", 1), point("b", 2)));
        rig.run(Duration.ofSeconds(1));

        assertThat(rig.store.rows()).hasSize(5).extracting(Row::metric).containsOnlyOnce("cpu.user.hostile");
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(3);
        assertThat(rig.commit(1, 0).rows()).isEqualTo(5);
        assertThat(rig.count(ProcessorCounter.FLUSHER_ROWS_FAILED)).isEqualTo(1);
        assertThat(rig.errors).singleElement().isInstanceOf(ChimeraException.class);
        List<String> letters = letters("dead-letter-rows.jsonl");
        assertThat(letters).hasSize(1);
        JsonNode letter = new ObjectMapper().readTree(letters.get(0));
        assertThat(letter.at("/reason").asText()).contains("no result");
        assertThat(letter.at("/metric").asText()).isEqualTo("cpu.user.hostile");
        assertThat(letter.at("/value").isNull()).isTrue();
    }

    @Test
    void pipelineWithoutPluginsIsNeverTakenRecordByRecord() {
        rig = new ProcessorRig(folder, ProcessorRig.CONFIG, ProcessorRig.pipeline(ProcessorRig.functions("sum")));
        queue = rig.queue(1);
        rig.begin(1, queue);
        rig.assign(1, 1, List.of(1L), List.of(PROCESSOR));
        rig.assign(1, 2, List.of(1L), List.of(PROCESSOR));
        rig.run();
        send(points(HostileAggregator.THROWS));

        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(1);
        assertThat(rig.count(ProcessorCounter.STAGING_POINTS_POISONED)).isZero();
    }
}
