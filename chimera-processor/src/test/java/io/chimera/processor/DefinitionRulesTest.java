package io.chimera.processor;

import static io.chimera.processor.ProcessorRig.point;
import static io.chimera.processor.ProcessorRig.points;
import static io.chimera.processor.ProcessorRig.row;
import static io.chimera.processor.ProcessorRig.timeNs;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.chimera.api.model.Row;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.metrics.ProcessorCounter;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.Entries;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PointBytes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lifetime of series and field definitions in DATA frames. */
final class DefinitionRulesTest {
    @TempDir
    private Path folder;

    private ProcessorRig rig;
    private QueueNodeFake queue;

    private QueueNodeFake.Sending start(AggregateConfig... aggregates) {
        rig = new ProcessorRig(folder, ProcessorRig.CONFIG, ProcessorRig.pipelines(aggregates));
        queue = rig.queue(1);
        rig.begin(1, queue);
        return queue.begin(1, 0, 0);
    }

    private QueueNodeFake.Sending start() {
        return start(ProcessorRig.functions("sum"));
    }

    @AfterEach
    void closeRig() {
        rig.close();
    }

    private void stores(Map<String, Double> sums) {
        rig.run();
        assertThat(rig.store.values()).isEqualTo(sums);
        assertThat(rig.count(ProcessorCounter.STAGING_FRAMES_BROKEN)).isZero();
        assertThat(rig.node.status().warehouseBytes()).isZero();
    }

    private void breaks() {
        rig.run();
        assertThat(rig.count(ProcessorCounter.STAGING_FRAMES_BROKEN)).isEqualTo(1);
        assertThat(rig.errors).isEmpty();
        queue.send(1, 0, 0, points("a", 3));
        rig.run();
        assertThat(rig.store.values()).isEqualTo(Map.of(row("sum", "a", 1), 3.0));
    }

    @Test
    void definitionsHoldOverAllFramesOfATransmission() {
        QueueNodeFake.Sending sending = start();
        sending.data(0, List.of(point("a", 1), point("b", 10)));
        sending.data(0, List.of(point("b", 20), point("a", 2)));
        sending.data(0, List.of(point("c", 100), point("a", 4))).end();

        stores(Map.of(row("sum", "a", 1), 7.0, row("sum", "b", 1), 30.0, row("sum", "c", 1), 100.0));
    }

    @Test
    void resetInTheMiddleForgetsAndNumbersBeginAnew() {
        QueueNodeFake.Sending sending = start();
        sending.data(0, List.of(point("a", 1), point("b", 10)));
        sending.body(0).add(true, List.of()).reset();
        sending.data(0, List.of(point("b", 20), point("a", 2))).end();

        stores(Map.of(row("sum", "a", 1), 3.0, row("sum", "b", 1), 30.0));
    }

    @Test
    void seriesOfAnotherNumberThanTheNextBreaksThePart() {
        QueueNodeFake.Sending sending = start();
        sending.data(0, points("a", 1));
        UnsafeBuffer again = new FrameBody().add(true, points("b", 1)).cut();
        int reset = PartFrame.HEADER_LENGTH;
        again.putBytes(
                reset, again, reset + BodyLayout.RESET_LENGTH, again.capacity() - reset - BodyLayout.RESET_LENGTH);
        sending.data(0, 1, new UnsafeBuffer(again, 0, again.capacity() - BodyLayout.RESET_LENGTH));
        sending.end();

        breaks();
    }

    @Test
    void fieldsOfAnotherNumberThanTheNextBreakThePart() {
        QueueNodeFake.Sending sending = start();
        UnsafeBuffer frame = new FrameBody().add(true, points("a", 1)).cut();
        int position = PartFrame.HEADER_LENGTH;
        while (Entries.kind(frame, position) != BodyLayout.FIELDS) {
            position += Entries.length(frame, position);
        }
        Entries.number(frame, position, 1);
        sending.data(0, 1, frame).end();

        breaks();
    }

    @Test
    void recordOfAnUndefinedNumberBreaksThePart() {
        QueueNodeFake.Sending sending = start();
        sending.body(0).add(true, points("a", 1)).cut(); // never sent
        sending.data(0, points("a", 1)).end();

        breaks();
    }

    @Test
    void recordBehindAResetNeedsNewDefinitions() {
        QueueNodeFake.Sending sending = start();
        sending.data(0, points("a", 1));
        UnsafeBuffer reset = new FrameBody().cut();
        sending.data(0, 0, reset);
        sending.data(0, points("a", 2)).end();

        breaks();
    }

    @Test
    void newTransmissionForgetsTheDefinitionsOfTheOld() {
        start().data(0, points("a", 1));
        QueueNodeFake.Sending second = queue.begin(1, 0, 0);
        second.body(0).add(true, points("a", 1)).cut();
        second.data(0, points("a", 2)).end();

        breaks();
    }

    @Test
    void pipelinesHaveDefinitionsOfTheirOwn() {
        QueueNodeFake.Sending sending = start(ProcessorRig.functions("sum"), ProcessorRig.functions("count"));
        sending.data(0, List.of(point("a", 1), point("b", 2)));
        sending.data(1, false, List.of(point("b", 2), point("a", 1)));
        sending.data(0, points("a", 5));
        sending.data(1, false, points("a", 5)).end();

        stores(Map.of(
                row("sum", "a", 1), 6.0,
                row("sum", "b", 1), 2.0,
                row("count", "a", 1), 2.0,
                row("count", "b", 1), 1.0));
    }

    @Test
    void setsOfFieldsMayAlternateFromRecordToRecord() {
        QueueNodeFake.Sending sending = start();
        Map<String, Double> expected = new LinkedHashMap<>();
        for (int frame = 0; frame < 20; frame++) {
            List<PointBytes> points = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                Map<String, Object> fields = new LinkedHashMap<>();
                for (int field = (frame + i) % 13; field >= 0; field -= 1 + i % 4) {
                    fields.put("f" + field, (long) i);
                    String row = row("sum", "h" + i % 3, 1).replace("user", "f" + field);
                    expected.merge(row, (double) i, Double::sum);
                }
                fields.put("text", "x".repeat(i));
                points.add(Records.of("cpu", Map.of("host", "h" + i % 3), fields, timeNs(1)));
            }
            sending.data(0, points);
        }
        sending.end();

        stores(expected);
    }

    @Test
    void groupComesWithItsFirstRecordThatIsNotLate() {
        QueueNodeFake.Sending sending = start(ProcessorRig.lateAfter(Duration.ofSeconds(60)));
        long lateNs = timeNs(1) - Duration.ofSeconds(61).toNanos();
        PointBytes late = Records.of("cpu", Map.of("host", "b"), Map.of("user", 1.0), lateNs);
        PointBytes never = Records.of("cpu", Map.of("host", "c"), Map.of("user", 1.0), lateNs);
        sending.data(0, List.of(late, never, point("a", 1), point("b", 2))).end();
        rig.run();

        assertThat(rig.store.rows())
                .extracting(Row::metric, row -> row.tags().get("host"))
                .containsExactly(tuple("cpu.user.count", "a"), tuple("cpu.user.count", "b"));
        assertThat(rig.commit(1, 0).accounts().late()).isEqualTo(2);
    }

    @Test
    void fieldsInEveryOrderTakeNoMoreMemoryThanTheirNames() {
        QueueNodeFake.Sending sending = start();
        List<String> names = new ArrayList<>();
        Map<String, Double> expected = new LinkedHashMap<>();
        for (int i = 0; i < 10; i++) {
            names.add("a_field_of_a_quite_usual_name_" + i);
        }
        Random random = new Random(4);
        for (int frame = 0; frame < 500; frame++) {
            List<PointBytes> points = new ArrayList<>();
            for (int i = 0; i < 100; i++) { // 50,000 orders of 390 bytes each exceed the limit of 16 MiB
                Collections.shuffle(names, random);
                Map<String, Object> fields = new LinkedHashMap<>();
                for (String name : names) {
                    fields.put(name, 1L);
                    expected.merge(row("sum", "h" + i % 7, 1).replace("user", name), 1.0, Double::sum);
                }
                points.add(Records.of("cpu", Map.of("host", "h" + i % 7), fields, timeNs(1)));
            }
            if (frame % 10 == 0) { // like a queue node after 4 MiB of definitions
                sending.body(0).reset();
            }
            sending.data(0, points);
            rig.run();
            assertThat(rig.node.status().warehouseBytes()).isLessThan(2 << 20);
        }
        sending.end();

        stores(expected);
        assertThat(rig.count(ProcessorCounter.STAGING_PARTS_FULL)).isZero();
    }

    @Test
    void seriesWhoseRecordsAreAllLateTakeNothingOnceTheyAreForgotten() {
        QueueNodeFake.Sending sending = start(ProcessorRig.lateAfter(Duration.ofSeconds(60)));
        long lateNs = timeNs(1) - Duration.ofSeconds(61).toNanos();
        for (int frame = 0; frame < 200; frame++) {
            List<PointBytes> points = new ArrayList<>();
            for (int i = 0; i < 500; i++) { // 100,000 groups exceed the limit of 16 MiB
                Map<String, String> tags = Map.of("host", "late-" + frame + "-" + i, "rack", "r".repeat(150));
                points.add(Records.of("cpu", tags, Map.of("user", 1.0, "of_frame_" + frame, 1.0), lateNs));
            }
            sending.body(0).reset();
            sending.data(0, points);
            rig.run();
            assertThat(rig.node.status().warehouseBytes()).isLessThan(1 << 20);
        }
        sending.data(0, points("a", 3)).end();
        rig.run();

        assertThat(rig.store.rows()).extracting(Row::metric).containsExactly("cpu.user.count");
        assertThat(rig.commit(1, 0).accounts().late()).isEqualTo(100_000);
        assertThat(rig.count(ProcessorCounter.STAGING_PARTS_FULL)).isZero();
    }

    @Test
    void pointOfMoreNamesThanAWarehouseKeepsIsRejected() {
        QueueNodeFake.Sending sending = start();
        Map<String, Object> many = new LinkedHashMap<>();
        for (int i = 10_000; i < 20_000; i++) {
            many.put("a_long_name_" + i, (long) i);
        }
        many.put("text", "behind them");
        sending.data(0, List.of(Records.of("cpu", Map.of("host", "a"), many, timeNs(1)), point("a", 2)))
                .end();

        stores(Map.of(row("sum", "a", 1), 2.0));
        assertThat(rig.commit(1, 0).accounts().rejected()).isEqualTo(1);
        assertThat(rig.commit(1, 0).accounts().aggregated()).isEqualTo(1);
    }
}
