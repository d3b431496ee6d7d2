package io.chimera.archive.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import io.chimera.api.spi.StoreException;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.ArchiveQuery;
import io.chimera.archive.query.answer.PointQuery;
import io.chimera.archive.server.volume.ArchiveStore;
import io.chimera.archive.server.volume.Volume;
import io.chimera.archive.streamfs.PowerCutDevice;
import io.chimera.archive.streamfs.PowerCutDevice.Fault;
import io.chimera.archive.streamfs.PowerCutDevice.Power;
import io.chimera.archive.streamfs.StreamFs;
import io.chimera.archive.streamfs.VolumeSettings;
import io.chimera.archive.streamfs.layout.FormatSettings;
import io.chimera.common.agent.Clock;
import io.chimera.common.config.VolumeConfig;
import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A store of rows from its opening to a power loss or a device failure, with the possible values of each row at any
 * point. Rows are written in batches, some of them again with other values. All decisions are derived from the seed.
 */
public final class ArchivedLife {
    private static final int BLOCK_BYTES = 512 << 10; // the longest row fits
    private static final int ALIGNMENT = 4096;
    private static final int TIMES = 20;
    private static final int SERIES = 40;
    private static final long TIME_MS = 1_700_000_000_000L;
    private static final long ALWAYS = -1;
    private static final VolumeSettings SETTINGS = new VolumeSettings(Duration.ofMillis(500), 6);

    private final Random random;
    private final Power power;
    private final PowerCutDevice device;
    private final ImpatientClock clock = new ImpatientClock();
    private final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);
    private final ArchiveStore store;
    private final Map<RowId, List<Written>> rows;
    private final List<Batch> batches = new ArrayList<>();

    /** Identity of a row. */
    private record RowId(String metric, Tags tags, long timeMs, boolean isLong) {
        static RowId of(Row row) {
            return new RowId(row.metric(), row.tags(), row.timeMs(), row.isLong());
        }
    }

    /**
     * Value of a row, or null for an absent row: possible after the event {@code began}, and certain after the event
     * {@code acknowledged}.
     */
    private record Written(Row row, long began, long acknowledged) {}

    /** Rows of one write call. */
    private record Batch(List<Row> rows, long began, long acknowledged) {}

    private ArchivedLife(long seed, UnsafeBuffer image, Map<RowId, List<Written>> rows) {
        random = new Random(seed);
        power = new Power(seed + 1);
        device = new PowerCutDevice(power, image, ALIGNMENT, 1 + random.nextInt(8));
        this.rows = rows;
        store = new ArchiveStore(
                VolumeConfig.ofPoints(
                        Sections.of(VolumeConfig.class, "devices", List.of("none"), "size", ByteSize.ofMebibytes(32))),
                Path.of("none"),
                10_000,
                Duration.ofMinutes(1),
                clock,
                counters);
        store.open(new Volume(StreamFs.open(List.of(device), SETTINGS, clock)));
    }

    /**
     * Creates a volume.
     *
     * @param blocks number of blocks of half a MiB
     */
    public static ArchivedLife first(long seed, int blocks) {
        FormatSettings format = new FormatSettings(BLOCK_BYTES, 4, 8, 0);
        UnsafeBuffer blank = PowerCutDevice.blank((blocks + 1) * BLOCK_BYTES);
        PowerCutDevice formatted = new PowerCutDevice(new Power(seed), blank, ALIGNMENT, 4);
        StreamFs.format(List.of(formatted), format, new Random(seed));
        return new ArchivedLife(seed, formatted.memory(), new HashMap<>());
    }

    /** Writes batches of rows. Retries a failed batch, as the flusher does. */
    public void write(int batches, int rowsMax) throws StoreException {
        for (int i = 0; i < batches; i++) {
            writeUntilTaken(batch(1 + random.nextInt(rowsMax)));
        }
    }

    private void writeUntilTaken(List<Row> batch) throws StoreException {
        while (!isTaken(batch)) {
            clock.isImpatient = false;
        }
    }

    private List<Row> batch(int count) {
        Map<RowId, Row> batch = new HashMap<>();
        for (int i = 0; i < count; i++) {
            Tags tags = Tags.of(Map.of("host", "h" + random.nextInt(SERIES)));
            long timeMs = TIME_MS + 1_000L * random.nextInt(TIMES);
            Row row = random.nextBoolean()
                    ? Row.ofLong("cpu.count", tags, timeMs, random.nextLong(1_000_000))
                    : Row.ofDouble("cpu.mean", tags, timeMs, random.nextInt(1_000_000) / 8.0);
            batch.put(RowId.of(row), row);
        }
        return new ArrayList<>(batch.values());
    }

    /** Writes a batch; now and then the device is too slow for the store. */
    private boolean isTaken(List<Row> batch) throws StoreException {
        long began = power.now();
        clock.isImpatient |= random.nextInt(20) == 0;
        boolean isTaken = false;
        try {
            store.write(batch);
            isTaken = true;
        } catch (StoreException e) {
            assertThat(e.retryable()).isTrue();
            if (!clock.isImpatient) {
                throw e;
            }
        } finally {
            note(new Batch(batch, began, isTaken ? power.now() : Long.MAX_VALUE));
        }
        clock.isImpatient = false;
        return isTaken;
    }

    private void note(Batch batch) {
        batches.add(batch);
        batch.rows.forEach(row -> rows.computeIfAbsent(RowId.of(row), unseen -> new ArrayList<>())
                .add(new Written(row, batch.began, batch.acknowledged)));
    }

    /** Makes the device fail after some operations, and writes until the failure. */
    public void failDevice() {
        Fault fault = List.of(Fault.WRITE_ERROR, Fault.SHORT_WRITE, Fault.FLUSH_ERROR, Fault.GONE)
                .get(random.nextInt(4));
        device.fail(fault, random.nextInt(6));
        boolean hasFailed = false;
        while (!hasFailed) {
            try {
                write(1, 50);
            } catch (StoreException e) {
                assertThat(e).hasMessageContaining("Then restart the node");
                hasFailed = true;
            }
        }
        if (fault != Fault.GONE) {
            checkAnswer(ask(), power.now(), false); // queries still work
        }
    }

    /** Closes the store in order; the close writes the index of all rows, and cuts can hit this write too. */
    public void end() {
        store.close();
    }

    /** Number of events, for the choice of a cut. */
    public int events() {
        return power.now();
    }

    public int anyEvent() {
        return random.nextInt(power.now() + 1);
    }

    /**
     * Cuts power, opens the volume and checks it: every acknowledged row is present once, with its last value or a
     * value under write at the cut, and no other row is present. Then writes the unacknowledged rows again, as the
     * processor that repeats the cycle.
     */
    public ArchivedLife cut(int at, long seed, boolean isLarge) throws StoreException {
        Map<RowId, List<Written>> inherited = new HashMap<>();
        rows.forEach((id, all) -> {
            List<Written> possible = possible(all, at);
            if (!possible.isEmpty()) {
                inherited.put(id, new ArrayList<>(possible));
            }
        });
        ArchivedLife next = new ArchivedLife(seed, device.cut(at, new Random(seed)), inherited);
        next.found(isLarge);
        for (Batch batch : batches) {
            if (batch.began < at && at < batch.acknowledged) {
                next.writeUntilTaken(batch.rows);
            }
        }
        return next;
    }

    /** Possible values of a row after a power loss, in order; the first value is present if no later value is. */
    private static List<Written> possible(List<Written> all, long at) {
        List<Written> possible = new ArrayList<>();
        for (Written each : all) {
            boolean isSure = each.acknowledged <= at;
            if (isSure) {
                possible.clear();
            }
            if (each.row != null && (isSure || each.began < at)) {
                possible.add(new Written(each.row, ALWAYS, isSure ? ALWAYS : Long.MAX_VALUE));
            }
        }
        return possible;
    }

    /** Rows found at the opening are durable, and missing rows do not come back. */
    private void found(boolean isWhole) {
        Map<RowId, Row> answer = ask();
        checkAnswer(answer, 0, isWhole);
        rows.forEach((id, all) -> all.add(new Written(answer.get(id), ALWAYS, power.now())));
    }

    /** Checks all rows. */
    public void check(boolean isWhole) throws StoreException {
        Map<RowId, Row> answer = ask();
        checkAnswer(answer, power.now(), isWhole);
        for (long timeMs = TIME_MS; timeMs < TIME_MS + 1_000L * TIMES; timeMs += 1_000) {
            long time = timeMs;
            List<Row> ofTime =
                    answer.values().stream().filter(row -> row.timeMs() == time).toList();
            assertThat(store.read(ofTime)).containsExactlyInAnyOrderElementsOf(ofTime);
        }
    }

    private void checkAnswer(Map<RowId, Row> answer, long at, boolean isWhole) {
        rows.forEach((id, all) -> {
            List<Written> possible = possible(all, at);
            Row found = answer.get(id);
            if (found != null) {
                assertThat(possible).as("values of %s", id).anyMatch(each -> each.row.equals(found));
            } else if (isWhole) {
                assertThat(possible).as("%s was acknowledged", id).noneMatch(each -> each.acknowledged == ALWAYS);
            }
        });
        assertThat(rows.keySet().containsAll(answer.keySet()))
                .as("each row was written")
                .isTrue();
    }

    /** Queries all rows, each present once. */
    private Map<RowId, Row> ask() {
        Map<RowId, Row> answer = new HashMap<>();
        try (ArchiveQuery<?> query = store.ask(Question.parse("", 0))) {
            while (query.next()) {
                Row row = ((PointQuery) query).row();
                assertThat(answer.put(RowId.of(row), row))
                        .as("a second row of %s", row)
                        .isNull();
            }
            assertThat(query.progress().damaged()).isZero();
        }
        return answer;
    }

    /** Writes a batch and checks its presence. */
    public void writeAndFind(int count) throws StoreException {
        char[] name = new char[250];
        Arrays.fill(name, 'n');
        List<Row> batch = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Tags tags = Tags.of(Map.of("host", new String(name) + i));
            batch.add(Row.ofLong("cpu.count", tags, TIME_MS + 1_000L * random.nextInt(TIMES), random.nextLong()));
        }
        writeUntilTaken(batch);
        Map<RowId, Row> answer = ask();
        assertThat(batch).allMatch(row -> row.equals(answer.get(RowId.of(row))));
    }

    /** Exceeds the store's timeout on the next read, on request. */
    private static final class ImpatientClock implements Clock {
        private boolean isImpatient;
        private long elapsedNs = 1;

        @Override
        public long nanoTime() {
            elapsedNs += isImpatient ? Duration.ofSeconds(15).toNanos() : 100_000;
            return elapsedNs;
        }

        @Override
        public long epochNs() {
            return TIME_MS * 1_000_000 + elapsedNs;
        }
    }
}
