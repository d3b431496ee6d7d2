package io.chimera.queue.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.Positions;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PointBytes;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.common.wire.encode.RecordEncoder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class PassEntriesTest {
    private static final List<Route> ROUTES = Route.of(
            Map.of(
                    "all",
                    Sections.of(
                            PipelineConfig.class,
                            "inputs",
                            List.of(),
                            "where",
                            "*",
                            "aggregate",
                            AggregateConfig.DEFAULT)),
            new TreeSet<>(List.of("a", "b", "c", "d", "e", "f", "g", "h")),
            Map.of(),
            Map.of());
    private static final Cycle CYCLE = new Cycle(1, 1, 1, Positions.NONE, List.of(1L, 2L, 3L), List.of(4L, 5L));

    private final RecordEncoder encoder = new RecordEncoder();
    private final PassEntries entries = new PassEntries(CYCLE, CYCLE.parts(JournalGroup.DEFAULT), ROUTES, false);
    private final PartBody body = new PartBody(null, false);
    private long records;

    private static UnsafeBuffer batch(RecordEncoder encoder, List<PointBytes> points) {
        UnsafeBuffer batch = new UnsafeBuffer(new byte[BatchLayout.LENGTH_MAX]);
        encoder.open(batch, BatchLayout.HEADER_LENGTH, batch.capacity());
        points.forEach(point -> assertThat(point.encode(encoder)).isZero());
        BatchLayout.seal(batch, 0, encoder.position(), 1, 1, points.size(), new CRC32C());
        return batch;
    }

    private UnsafeBuffer batchOf(int firstSeries, int count) {
        List<PointBytes> points = IntStream.range(firstSeries, firstSeries + count)
                .mapToObj(i -> new PointBytes("m").tag("n", "" + i).field("f", (long) i))
                .toList();
        return batch(encoder, points);
    }

    private void take(int points) {
        for (int i = 0; i < points; i++) {
            entries.next();
            int needed = body.lengthOf(entries, 0);
            body.ensureCapacity(1 << 23);
            int before = body.position();
            body.append(entries, 0, true);
            assertThat(body.position() - before).isEqualTo(needed);
            records++;
        }
    }

    @Test
    void aSeriesHasOneNumberInAllBatchesOfAPass() {
        entries.open(batchOf(0, 10), 0);
        take(10);
        int afterFirst = body.position();
        entries.open(batchOf(5, 5), 0);
        take(5);

        assertThat(body.position() - afterFirst).isEqualTo(5 * (BodyLayout.VALUES + 8));
        assertThat(frame()).containsEntry("9", 2).containsEntry("0", 1);
    }

    @Test
    void numbersBeginAnewBeforeTheyRunOutAndSoDoesTheBody() {
        int batches = 60;
        for (int i = 0; i < batches; i++) {
            entries.open(batchOf(i * 1_000, 1_000), 0);
            take(1_000);
        }

        assertThat(entries.generation()).isPositive();
        Map<String, Integer> series = frame();
        assertThat(series).hasSize(batches * 1_000);
        assertThat(series.values()).allMatch(count -> count == 1);
    }

    @Test
    void manyBodiesHaveMoreSeriesThanOneBody() {
        PartBody[] bodies = new PartBody[CYCLE.parts() * CYCLE.shards()];
        Arrays.setAll(bodies, i -> new PartBody(null, false));
        int batches = 18; // more series than the numbers of one body before a batch
        assertThat(batches * 1_000).isGreaterThan(DefinitionNumbers.BODY_MAX);
        int definitions = 0;
        for (int i = 0; i < 2 * batches; i++) {
            entries.open(batchOf(i % batches * 1_000, 1_000), 0);
            for (int j = 0; j < 1_000; j++) {
                entries.next();
                PartBody target = bodies[entries.part() * CYCLE.shards() + entries.shard(0)];
                target.ensureCapacity(1 << 23);
                definitions += entries.seriesNumber(0) == PassEntries.UNDEFINED ? 1 : 0;
                target.append(entries, 0, true);
            }
        }

        assertThat(bodies).hasSizeGreaterThan(1);
        assertThat(entries.generation()).isZero();
        assertThat(definitions).isEqualTo(batches * 1_000);
    }

    @Test
    void bodiesNumberTheirSeriesAndFieldsInTheOrderInWhichTheyCome() {
        List<PointBytes> points = IntStream.range(0, 300)
                .mapToObj(i -> new PointBytes("m").tag("n", "" + i).field("f" + i % 90, (long) i))
                .toList();
        entries.open(batch(encoder, points), 0);
        PartBody[] bodies = new PartBody[CYCLE.parts() * CYCLE.shards()];
        Arrays.setAll(bodies, i -> new PartBody(null, false));
        for (int i = 0; i < points.size(); i++) {
            entries.next();
            PartBody target = bodies[entries.part() * CYCLE.shards() + entries.shard(0)];
            target.ensureCapacity(1 << 20);
            target.append(entries, 0, true);
        }

        int records = 0;
        for (PartBody target : bodies) {
            BodyReader reader = new BodyReader().wrap(target.frame(), PartFrame.HEADER_LENGTH, target.position());
            int kind = reader.step();
            for (; kind >= 0; kind = reader.step()) { // the reader accepts only consecutive numbers
                records += kind == BodyLayout.RECORD ? 1 : 0;
            }
            assertThat(kind).isEqualTo(BodyReader.END);
        }
        assertThat(records).isEqualTo(points.size());
    }

    /** Number of definitions of each series in the frame, decoded like a receiver. */
    private Map<String, Integer> frame() {
        BodyReader reader = new BodyReader().wrap(body.frame(), PartFrame.HEADER_LENGTH, body.position());
        Map<String, Integer> seen = new HashMap<>();
        int kind = reader.step();
        long walked = 0;
        for (; kind >= 0; kind = reader.step()) {
            if (kind == BodyLayout.RECORD) {
                walked++;
                String name = RecordDecoder.point(reader).key().tags().get("n");
                assertThat(RecordDecoder.point(reader).fields()).isEqualTo(Map.of("f", Long.valueOf(name)));
                seen.merge(name, 1, Integer::sum);
            }
        }
        assertThat(kind).isEqualTo(BodyReader.END);
        assertThat(walked).isEqualTo(records);
        return seen;
    }

    /**
     * Each order of the same fields is a new definition, and the receiver keeps a copy of every definition until the
     * next RESET.
     */
    @Test
    void randomOrdersOfFieldsTakeLittleMemoryOfTheReceiver() {
        Random random = new Random(7);
        List<String> names = new ArrayList<>(
                IntStream.range(0, 40).mapToObj(i -> "field" + i).toList());
        for (int i = 0; i < 30; i++) {
            List<PointBytes> points = new ArrayList<>();
            for (int j = 0; j < 500; j++) {
                Collections.shuffle(names, random);
                PointBytes point = new PointBytes("m").tag("n", "1");
                for (String name : names) {
                    point = point.field(name, 1L);
                }
                points.add(point);
            }
            entries.open(batch(encoder, points), 0);
            for (int j = 0; j < points.size(); j++) {
                entries.next();
                body.ensureCapacity(1 << 24);
                body.append(entries, 0, true);
            }
        }

        BodyReader reader = new BodyReader().wrap(body.frame(), PartFrame.HEADER_LENGTH, body.position());
        long bytes = 0;
        long bytesMax = 0;
        int kind = reader.step();
        for (; kind >= 0; kind = reader.step()) {
            if (kind == BodyLayout.FIELDS) {
                bytes += reader.fields().length();
            } else if (kind == BodyLayout.RESET) {
                bytes = 0;
            }
            bytesMax = Math.max(bytesMax, bytes);
        }
        assertThat(kind).isEqualTo(BodyReader.END);
        assertThat(bytesMax).isLessThan(PassEntries.FIELDS_BYTES_MAX + BatchLayout.LENGTH_MAX);
    }

    @Test
    void aResetInABatchEndsItsNumbers() {
        UnsafeBuffer first = batchOf(0, 2);
        UnsafeBuffer second = batchOf(7, 2);
        int firstLength = BatchLayout.length(first, 0);
        int secondBody = BatchLayout.length(second, 0) - BatchLayout.HEADER_LENGTH;
        first.putBytes(firstLength, second, BatchLayout.HEADER_LENGTH, secondBody);
        BatchLayout.seal(first, 0, firstLength + secondBody, 1, 1, 4, new CRC32C());

        entries.open(first, 0);
        take(4);

        assertThat(frame()).containsOnlyKeys("0", "1", "7", "8");
    }

    @Test
    void knowsPartAndShardOfEachRecord() {
        entries.open(batchOf(0, 200), 0);
        boolean[] parts = new boolean[CYCLE.parts()];
        boolean[] shards = new boolean[CYCLE.shards()];
        for (int i = 0; i < 200; i++) {
            entries.next();
            parts[entries.part()] = true;
            shards[entries.shard(0)] = true;
        }

        assertThat(parts).containsOnly(true);
        assertThat(shards).containsOnly(true);
    }
}
