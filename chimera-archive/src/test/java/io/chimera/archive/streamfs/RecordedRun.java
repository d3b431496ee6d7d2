package io.chimera.archive.streamfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.streamfs.layout.FormatSettings;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.archive.streamfs.store.StreamStatus;
import io.chimera.common.agent.ManualClock;
import io.chimera.jni.stream.BlockDevice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;

/** Random run of a store on recording devices, with the expected state at each point. Fully determined by the seed. */
final class RecordedRun {
    private static final int BLOCK_BYTES = 16 << 10;
    private static final VolumeSettings SETTINGS = new VolumeSettings(Duration.ofMillis(500), 6);

    private final long seed;
    private final Random random;
    private final int devices;
    private final int alignment;
    private final List<StreamSettings> settings;
    private final List<Appended> history;
    private final List<Point> points = new ArrayList<>();
    private final PowerCutDevice.Power power;
    private final List<PowerCutDevice> disks = new ArrayList<>();
    private final ManualClock clock = new ManualClock();
    /** Promise of earlier lives; null in the first life. */
    private final Promise inherited;

    /** Appended record, with the life of the store. */
    private record Appended(RecordHandle handle, int stream, long number, long life, int length) {}

    /** Acknowledged records at a time, and the oldest held record of each stream. */
    private record Point(int time, List<Long> durable, List<Long> oldest) {}

    /** Required content of a volume: all acknowledged records from the oldest held record. */
    private record Promise(List<Long> durable, List<Long> oldest) {}

    private RecordedRun(
            long seed,
            int devices,
            int alignment,
            List<StreamSettings> settings,
            List<Appended> history,
            List<UnsafeBuffer> images,
            Promise inherited) {
        this.seed = seed;
        this.devices = devices;
        this.alignment = alignment;
        this.settings = settings;
        this.history = history;
        this.inherited = inherited;
        random = new Random(seed);
        power = new PowerCutDevice.Power(seed + 1);
        for (UnsafeBuffer image : images) {
            disks.add(new PowerCutDevice(power, image, alignment, 1 + random.nextInt(8)));
        }
    }

    /** Creates a new volume and runs some steps. */
    static RecordedRun of(long seed, int steps) {
        Random random = new Random(seed ^ 0x9E3779B97F4A7C15L);
        int devices = 1 + random.nextInt(3);
        int alignment = random.nextBoolean() ? 512 : 4096;
        int group = 4 << random.nextInt(2);
        int blocks = 10 * group + random.nextInt(40);
        FormatSettings format = new FormatSettings(BLOCK_BYTES, group, 8, random.nextInt(3) == 0 ? 2 : 0);
        int deviceBytes = (blocks / devices + 4) * BLOCK_BYTES;
        List<UnsafeBuffer> images = new ArrayList<>();
        List<BlockDevice> plain = new ArrayList<>();
        for (int i = 0; i < devices; i++) {
            MemoryDevice device = new MemoryDevice(deviceBytes, alignment, 4);
            images.add(device.memory());
            plain.add(device);
        }
        StreamFs.format(plain, format, random);
        List<StreamSettings> settings = new ArrayList<>();
        int streams = 1 + random.nextInt(4);
        long shared = (blocks - 2L * group - 8 - 2L * streams) * 7 / 10;
        for (int i = 0; i < streams; i++) {
            long guarantee = random.nextInt(3) == 0 ? 0 : random.nextLong(shared * BLOCK_BYTES / streams + 1);
            settings.add(new StreamSettings("s" + i, "test", guarantee));
        }
        RecordedRun run = new RecordedRun(seed, devices, alignment, settings, new ArrayList<>(), images, null);
        run.live(steps);
        return run;
    }

    private List<BlockDevice> devices() {
        return new ArrayList<>(disks);
    }

    private void live(int steps) {
        StreamFs store = StreamFs.open(devices(), SETTINGS, clock);
        for (StreamSettings each : settings) {
            store.open(each);
        }
        note(store);
        for (int i = 0; i < steps; i++) {
            step(store);
            note(store);
        }
    }

    private void step(StreamFs store) {
        switch (random.nextInt(12)) {
            case 0 -> store.sync();
            case 1 -> clock.advanceMs(random.nextInt(400));
            case 2, 3, 4, 5 -> store.doWork();
            default -> append(store, random.nextInt(settings.size()));
        }
    }

    private void append(StreamFs store, int stream) {
        int length = 1 + random.nextInt(random.nextInt(8) == 0 ? store.recordLengthMax() : 3000);
        long number = store.appended(stream) + 1;
        UnsafeBuffer bytes = bytes(seed, stream, number, length);
        RecordHandle handle = store.append(stream, number * 1000, bytes, 0, length);
        if (handle != null) {
            history.add(new Appended(handle, stream, number, seed, length));
        }
    }

    /** Returns the content of a record, a function of life, stream and number. */
    private static UnsafeBuffer bytes(long life, int stream, long number, int length) {
        byte[] bytes = new byte[length];
        new Random(life * 31 + stream * 1_000_003L + number).nextBytes(bytes);
        return new UnsafeBuffer(bytes);
    }

    private void note(StreamFs store) {
        List<Long> durable = new ArrayList<>();
        List<Long> oldest = new ArrayList<>();
        for (int i = 0; i < settings.size(); i++) {
            durable.add(store.durable(i));
            oldest.add(store.oldest(i));
        }
        points.add(new Point(power.now(), durable, oldest));
    }

    /** Returns the number of events, the range for cuts. */
    int events() {
        return power.now();
    }

    /** Returns the number of events of the opening. */
    int eventsOfOpening() {
        return points.get(0).time;
    }

    /** Returns the promise for a cut at a time; null before the first acknowledgement. */
    private Promise promise(int at) {
        if (points.get(0).time > at) {
            return inherited;
        }
        Point before = points.get(0);
        Point after = points.get(points.size() - 1);
        for (Point each : points) {
            before = each.time <= at ? each : before;
        }
        for (int i = points.size() - 1; i >= 0 && points.get(i).time > at; i--) {
            after = points.get(i);
        }
        return new Promise(before.durable, after.oldest);
    }

    /**
     * Cuts power, opens the volume and checks it: acknowledged records are present, nothing else is returned,
     * guarantees hold.
     *
     * @return the further life of the volume after the cut
     */
    RecordedRun cut(int at, long cutSeed, int steps) {
        Random chance = new Random(cutSeed);
        List<UnsafeBuffer> images = new ArrayList<>();
        for (PowerCutDevice disk : disks) {
            images.add(disk.cut(at, chance));
        }
        Promise promise = promise(at);
        RecordedRun next =
                new RecordedRun(cutSeed, devices, alignment, settings, new ArrayList<>(history), images, promise);
        StreamFs store = StreamFs.open(next.devices(), SETTINGS, next.clock);
        if (promise != null) {
            check(store, promise);
        }
        for (StreamSettings each : settings) {
            store.open(each);
        }
        next.note(store);
        for (int i = 0; i < steps; i++) {
            next.step(store);
            next.note(store);
        }
        next.takesMore(store);
        next.checkLatest(store);
        return next;
    }

    private void check(StreamFs store, Promise promise) {
        assertThat(store.streams()).hasSize(settings.size());
        assertThat(store.status().blocksDamaged()).as("damaged blocks").isZero();
        for (StreamStatus stream : store.streams()) {
            int index = stream.stream();
            assertThat(stream.settings()).isEqualTo(settings.get(index));
            assertThat(stream.durable()).as("durable").isGreaterThanOrEqualTo(promise.durable.get(index));
            assertThat(stream.durable()).as("appended").isEqualTo(stream.appended());
            assertThat(stream.oldest()).as("oldest").isLessThanOrEqualTo(promise.oldest.get(index));
            if (stream.oldest() > 1) {
                assertThat(stream.heldBytes())
                        .as("held")
                        .isGreaterThanOrEqualTo(stream.settings().guaranteeBytes());
            }
        }
        checkHandles(store);
        for (StreamStatus stream : store.streams()) {
            checkCursor(store, stream, promise.durable.get(stream.stream()));
        }
    }

    /** Checks that appends to every stream become durable. */
    private void takesMore(StreamFs store) {
        for (int stream = 0; stream < settings.size(); stream++) {
            long before = store.appended(stream);
            while (store.appended(stream) == before) {
                append(store, stream);
                store.doWork();
            }
        }
        note(store);
        store.sync();
        for (int stream = 0; stream < settings.size(); stream++) {
            while (store.durable(stream) < store.appended(stream)) {
                store.doWork();
            }
        }
        note(store);
    }

    private void checkHandles(StreamFs store) {
        RecordView view = new RecordView();
        try (StreamReader reader = store.reader()) {
            for (Appended each : history) {
                boolean isThere = reader.read(each.handle, view);
                boolean isHeld = each.number >= store.oldest(each.stream) && each.number <= store.appended(each.stream);
                if (isThere) {
                    assertThat(isHeld).as("%s is held", each).isTrue();
                    assertThat(view.stream()).isEqualTo(each.stream);
                    assertThat(view.number()).isEqualTo(each.number);
                    assertThat(view.timeNs()).isEqualTo(each.number * 1000);
                    assertThat(view.handle()).isEqualTo(each.handle);
                    assertEqual(view, each);
                } else if (isLatestOf(each)) {
                    assertThat(isHeld).as("%s is held", each).isFalse();
                }
            }
        }
    }

    private void assertEqual(RecordView view, Appended each) {
        UnsafeBuffer expected = bytes(each.life, each.stream, each.number, each.length);
        assertThat(view.buffer().capacity()).isEqualTo(each.length);
        assertThat(view.buffer().compareTo(expected)).as("%s", each).isZero();
    }

    /** Returns true for the latest record with its number: after a loss of power a number may be reused. */
    private boolean isLatestOf(Appended each) {
        for (int i = history.size() - 1; i >= 0; i--) {
            Appended other = history.get(i);
            if (other.stream == each.stream && other.number == each.number) {
                return other.equals(each);
            }
        }
        return false;
    }

    /** Checks that a cursor returns all held records in order without a gap, and the acknowledged records unchanged. */
    private void checkCursor(StreamFs store, StreamStatus stream, long acknowledged) {
        RecordView view = new RecordView();
        try (StreamReader reader = store.reader();
                StreamCursor cursor = reader.cursor(stream.stream(), Long.MIN_VALUE)) {
            long number = stream.oldest();
            while (cursor.next(view)) {
                assertThat(view.number()).isEqualTo(number);
                Appended appended = byHandle(view.handle());
                assertThat(appended)
                        .as("record %d of stream %d", number, stream.stream())
                        .isNotNull();
                assertThat(appended.stream).isEqualTo(stream.stream());
                assertThat(appended.number).isEqualTo(number);
                assertEqual(view, appended);
                assertThat(number > acknowledged || isLatestOf(appended))
                        .as("%s was acknowledged", appended)
                        .isTrue();
                number++;
            }
            assertThat(number).isEqualTo(stream.appended() + 1);
        }
    }

    private Appended byHandle(RecordHandle handle) {
        for (int i = history.size() - 1; i >= 0; i--) {
            if (history.get(i).handle.equals(handle)) {
                return history.get(i);
            }
        }
        return null;
    }

    /** Checks all held records, partly in memory. */
    private void checkLatest(StreamFs store) {
        checkHandles(store);
        for (StreamStatus stream : store.streams()) {
            checkCursor(store, stream, stream.appended());
        }
    }
}
