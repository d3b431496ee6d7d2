package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.Volumes.BLOCK_BYTES;
import static io.chimera.archive.streamfs.Volumes.append;
import static io.chimera.archive.streamfs.Volumes.record;
import static io.chimera.archive.streamfs.Volumes.settings;
import static io.chimera.archive.streamfs.Volumes.sync;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class StreamFsTest {
    private final RecordView view = new RecordView();

    @Test
    void readsARecordThatIsStillInMemory() {
        StreamFs store = Volumes.open(Volumes.device(64));
        int stream = store.open(settings("a", 0));

        RecordHandle handle = append(store, stream, 100);

        assertThat(store.reader().read(handle, view)).isTrue();
        assertThat(view.buffer().compareTo(record(stream, 1, 100))).isZero();
        assertThat(view.number()).isEqualTo(1);
        assertThat(view.handle()).isEqualTo(handle);
        assertThat(store.durable(stream)).isZero();
    }

    @Test
    void isDurableAfterASyncAndThereAfterARestart() {
        MemoryDevice device = Volumes.device(64);
        StreamFs store = Volumes.open(device);
        int stream = store.open(settings("a", 0));
        List<RecordHandle> handles = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            handles.add(append(store, stream, 100 + 97 * i));
        }
        sync(store, stream);

        StreamFs again = Volumes.open(Volumes.again(device));

        assertThat(again.open(settings("a", 0))).isEqualTo(stream);
        assertThat(again.durable(stream)).isEqualTo(50);
        StreamReader reader = again.reader();
        for (int i = 0; i < 50; i++) {
            assertThat(reader.read(handles.get(i), view)).isTrue();
            assertThat(view.buffer().compareTo(record(stream, i + 1, 100 + 97 * i)))
                    .isZero();
        }
        assertThat(again.status().blocksDamaged()).isZero();
    }

    @Test
    void askingForDurabilityAllTheTimeWritesNoMoreThanTheDeviceTakes() {
        StreamFs store = Volumes.open(Volumes.device(64));
        int stream = store.open(settings("a", 0));
        append(store, stream, 100);
        store.sync();
        for (int i = 0; i < 40; i++) {
            append(store, stream, 100);
            store.sync();
        }
        Volumes.sync(store, stream);

        assertThat(store.durable(stream)).isEqualTo(41);
        assertThat(store.status().bytesWritten()).as("two runs").isLessThan(16L * Volumes.ALIGNMENT);
        assertThat(store.streams().get(0).blocks()).isEqualTo(1);
    }

    @Test
    void aCursorBeginsWithTheBlockOfTheTimeAndPassesNoneThatMayHaveHeldIt() {
        StreamFs store = Volumes.open(Volumes.device(64));
        int stream = store.open(settings("a", 40));
        for (int i = 0; i < 100; i++) {
            append(store, stream, 3000); // the time equals the number
        }
        for (long time : new long[] {0, 1, 17, 50, 99, 100}) {
            assertThat(store.reader().cursor(stream, time).next(view)).isTrue();
            assertThat(view.number()).isBetween(Math.max(1, time - 4), Math.max(1, time));
        }
    }

    @Test
    void goesOnInTheBlockThatARestartLeftOpen() {
        MemoryDevice device = Volumes.device(64);
        for (int i = 0; i < 5; i++) {
            StreamFs store = Volumes.open(device);
            int stream = store.open(settings("a", 0));
            append(store, stream, 100);
            store.close();
        }

        StreamFs store = Volumes.open(device);

        assertThat(store.streams().get(0).blocks()).isEqualTo(1);
        assertThat(numbers(store, 0, 0)).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void whatIsReadAheadIsReadOnceAndNothingElseIsMistakenForIt() {
        MemoryDevice device = Volumes.device(64);
        StreamFs store = Volumes.open(device);
        int stream = store.open(settings("a", 0));
        List<RecordHandle> handles = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            handles.add(append(store, stream, 100 + 7 * i));
        }
        sync(store, stream);
        store.close();
        StreamFs again = Volumes.open(Volumes.again(device));

        try (StreamReader reader = again.reader()) {
            int last = 0;
            for (int first = 0; first < handles.size(); first = last + 1) {
                last = first;
                while (last + 1 < handles.size() && handles.get(last + 1).isBeside(handles.get(first))) {
                    last++;
                }
                reader.readAhead(handles.get(first), handles.get(last));
                for (int i = first; i <= last; i++) {
                    assertThat(reader.read(handles.get(i), view)).isTrue();
                    assertThat(view.buffer().compareTo(record(stream, i + 1, 100 + 7 * i)))
                            .isZero();
                }
                assertThat(last - first).as("records of one block").isLessThan(100);
                int other = (first + 200) % 400;
                assertThat(reader.read(handles.get(other), view)).isTrue();
                assertThat(view.number()).isEqualTo(other + 1);
            }
            reader.readAhead(new RecordHandle(1, 2), new RecordHandle(1, 2));
            reader.readAhead(handles.get(5), handles.get(3));
            assertThat(reader.read(handles.get(4), view)).isTrue();
            assertThat(view.number()).isEqualTo(5);
        }
    }

    @Test
    void writesWhatLingers() {
        ManualClock clock = new ManualClock();
        StreamFs store = Volumes.open(clock, Volumes.device(64));
        int stream = store.open(settings("a", 0));
        append(store, stream, 100);
        for (int i = 0; i < 10; i++) {
            store.doWork();
        }
        assertThat(store.durable(stream)).isZero();

        clock.advance(VolumeSettings.DEFAULT.linger());
        for (int i = 0; i < 10; i++) {
            store.doWork();
        }

        assertThat(store.durable(stream)).isEqualTo(1);
    }

    @Test
    void answersNullWhenNoMemoryIsLeftAndTakesTheRecordLater() {
        StreamFs store = Volumes.open(Volumes.device(64));
        int stream = store.open(settings("a", 0));
        int length = store.recordLengthMax();
        int taken = 0;
        while (store.append(stream, 1, record(0, 1, length), 0, length) != null) {
            taken++;
        }

        assertThat(taken).isEqualTo(9);
        while (store.append(stream, 1, record(0, 1, length), 0, length) == null) {
            store.doWork();
        }
    }

    @Test
    void overwritesTheOldestAndSaysThatItIsGone() {
        StreamFs store = Volumes.open(Volumes.device(32));
        int stream = store.open(settings("a", 4));
        RecordHandle first = append(store, stream, store.recordLengthMax());
        for (int i = 0; i < 100; i++) {
            append(store, stream, store.recordLengthMax());
        }
        sync(store, stream);

        assertThat(store.reader().read(first, view)).isFalse();
        assertThat(store.oldest(stream)).isGreaterThan(50).isLessThanOrEqualTo(101 - 4);
        assertThat(numbers(store, stream, 0).get(0)).isEqualTo(store.oldest(stream));
        assertThat(store.status().turns()).isGreaterThan(3);
    }

    @Test
    void beginsACursorWhereATimeMayBe() {
        StreamFs store = Volumes.open(Volumes.device(64));
        int stream = store.open(settings("a", 0));
        for (int i = 0; i < 100; i++) {
            append(store, stream, 4000); // three per block; the time equals the number
        }

        List<Long> numbers = numbers(store, stream, 50);

        assertThat(numbers.get(0)).isLessThan(50).isGreaterThan(42);
        assertThat(numbers).endsWith(99L, 100L);
    }

    @Test
    void showsACursorWhatIsAppendedLater() {
        StreamFs store = Volumes.open(Volumes.device(64));
        int stream = store.open(settings("a", 0));
        StreamCursor cursor = store.reader().cursor(stream, 0);
        assertThat(cursor.next(view)).isFalse();
        for (int i = 1; i < 60; i++) {
            append(store, stream, 1500);
            if (i % 7 == 0) {
                sync(store, stream);
            }
            assertThat(cursor.next(view)).isTrue();
            assertThat(view.number()).isEqualTo(i);
            assertThat(cursor.next(view)).isFalse();
        }
    }

    @Test
    void refusesHandlesThatAreForgedOrOfAnotherVolume() {
        StreamFs store = Volumes.open(Volumes.device(64));
        int stream = store.open(settings("a", 0));
        RecordHandle handle = append(store, stream, 100);
        StreamReader reader = store.reader();
        for (int bit = 0; bit < 64; bit++) {
            RecordHandle moved = new RecordHandle(handle.location() ^ 1L << bit, handle.check());
            assertThatThrownBy(() -> reader.read(moved, view))
                    .isInstanceOf(ChimeraException.class)
                    .hasMessageContaining("not of this volume");
        }
        for (int bit = 32; bit < 64; bit++) {
            RecordHandle forged = new RecordHandle(handle.location(), handle.check() ^ 1L << bit);
            assertThatThrownBy(() -> reader.read(forged, view)).isInstanceOf(ChimeraException.class);
        }
        for (int bit = 0; bit < 32; bit++) {
            assertThat(reader.read(new RecordHandle(handle.location(), handle.check() ^ 1L << bit), view))
                    .isFalse();
        }
    }

    @Test
    void refusesGuaranteesThatDoNotFit() {
        StreamFs store = Volumes.open(Volumes.device(64)); // 48 data blocks
        store.open(settings("a", 30));

        assertThatThrownBy(() -> store.open(settings("b", 20)))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("cannot be guaranteed");
        assertThat(store.streams()).hasSize(1);
        store.open(settings("a", 10));
        store.open(settings("b", 20));
        assertThat(store.status().guaranteeBytes()).isEqualTo(30L * BLOCK_BYTES);
    }

    @Test
    void refusesAStreamOfAnotherKind() {
        StreamFs store = Volumes.open(Volumes.device(64));
        store.open(settings("a", 0));

        assertThatThrownBy(() -> store.open(new StreamSettings("a", "packets", 0)))
                .hasMessageContaining("holds test");
    }

    @Test
    void stripesOverDevicesAndWantsThemInOrder() {
        MemoryDevice one = new MemoryDevice(1 << 20, 512, 4);
        MemoryDevice two = new MemoryDevice(1 << 20, 4096, 4);
        StreamFs.format(List.of(one, two), Volumes.FORMAT, new Random(3));
        StreamFs store = Volumes.open(one, two);
        int stream = store.open(settings("a", 0));
        for (int i = 0; i < 300; i++) {
            append(store, stream, 3000);
        }
        store.close();

        assertThat(Volumes.open(one, two).durable(stream)).isEqualTo(300);
        assertThatThrownBy(() -> Volumes.open(two, one)).hasMessageContaining("in the order");
        assertThatThrownBy(() -> Volumes.open(one)).hasMessageContaining("in the order");
    }

    @Test
    void opensAVolumeOfManyTurnsByItsMaps() {
        MemoryDevice device = Volumes.device(128);
        StreamFs store = Volumes.open(device);
        for (int i = 0; i < 5; i++) {
            store.open(settings("s" + i, 10));
        }
        Random random = new Random(5);
        for (int i = 0; i < 5000; i++) {
            append(store, random.nextInt(5), 1 + random.nextInt(8000));
        }
        store.close();

        StreamFs again = Volumes.open(device);

        for (int i = 0; i < 5; i++) {
            assertThat(again.durable(i)).isEqualTo(store.appended(i));
            assertThat(again.oldest(i)).isLessThanOrEqualTo(store.oldest(i));
            List<Long> numbers = numbers(again, i, Long.MIN_VALUE);
            assertThat(numbers).hasSize((int) (again.appended(i) - again.oldest(i) + 1));
        }
    }

    private List<Long> numbers(StreamFs store, int stream, long fromNs) {
        List<Long> numbers = new ArrayList<>();
        try (StreamReader reader = store.reader();
                StreamCursor cursor = reader.cursor(stream, fromNs)) {
            while (cursor.next(view)) {
                numbers.add(view.number());
            }
        }
        return numbers;
    }
}
