package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.Volumes.append;
import static io.chimera.archive.streamfs.Volumes.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamStatus;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records of a removed stream stay gone, even if another stream reuses its place. */
final class RemovedStreamTest {
    private static final int LENGTH = 3000;

    private final RecordView view = new RecordView();
    private final MemoryDevice device = Volumes.device(64);
    private StreamFs store = Volumes.open(device);

    @Test
    void itsRecordsAreGoneAndItsGuaranteeIsFree() {
        int most = (int) (store.status().guaranteeBytesMax() / Volumes.BLOCK_BYTES) - 4;
        store.open(settings("a", most));
        RecordHandle handle = append(store, 0, LENGTH);
        assertThatThrownBy(() -> store.open(settings("b", most))).isInstanceOf(ChimeraException.class);

        store.remove(0);

        assertThat(store.streams()).isEmpty();
        assertThat(store.status().guaranteeBytes()).isZero();
        assertThat(store.reader().read(handle, view)).isFalse();
        assertThat(store.reader().cursor(0, Long.MIN_VALUE).next(view)).isFalse();
        assertThat(store.open(settings("b", most))).isZero();
        assertThat(store.reader().read(handle, view)).isFalse();
    }

    @Test
    void nothingIsAppendedToIt() {
        store.open(settings("a", 2));
        store.remove(0);

        assertThatThrownBy(() -> append(store, 0, LENGTH))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("was removed");
        assertThatThrownBy(() -> store.remove(0)).isInstanceOf(ChimeraException.class);
    }

    @Test
    void anotherInItsPlaceBeginsAnewAndItsOldHandlesStayThoseOfNothing() {
        List<RecordHandle> old = fill("a", 40);
        store.remove(0);
        reopen();
        assertThat(store.streams()).isEmpty();

        List<RecordHandle> fresh = fill("b", 40);

        checkOnly(fresh, old);
        reopen();
        checkOnly(fresh, old);
    }

    @Test
    void blocksThatAreStillOnTheDeviceAreNotTakenForThoseOfTheNext() {
        List<RecordHandle> old = fill("a", 40);
        store.remove(0);
        List<RecordHandle> fresh = fill("b", 3);
        for (int slot = 0; slot < 2; slot++) {
            int at = Volumes.rootOffset(slot) + 100;
            device.memory().putByte(at, (byte) (device.memory().getByte(at) ^ 1));
            reopen(); // reads the headers of all blocks, because one root is damaged
            checkOnly(fresh, old);
        }
    }

    @Test
    void aStreamThatWasNeverWrittenCanBeRemoved() {
        store.open(settings("a", 2));
        store.open(settings("b", 2));
        store.remove(0);
        reopen();

        assertThat(store.streams()).extracting(StreamStatus::stream).containsExactly(1);
        assertThat(store.open(settings("c", 2))).isZero();
        assertThat(store.open(settings("b", 2))).isEqualTo(1);
    }

    @Test
    void thePlacesOfADirectoryCanBeUsedAgain() {
        for (int i = 0; i < 3 * Volumes.FORMAT.streamsMax(); i++) {
            int stream = store.open(settings("s" + i, 1));
            append(store, stream, LENGTH);
            store.remove(stream);
        }
        assertThat(store.streams()).isEmpty();
        assertThat(store.status().blocksDamaged()).isZero();
    }

    private List<RecordHandle> fill(String name, int records) {
        int stream = store.open(settings(name, 20));
        assertThat(stream).isZero();
        List<RecordHandle> handles = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            handles.add(append(store, stream, LENGTH));
        }
        Volumes.sync(store, stream);
        return handles;
    }

    private void reopen() {
        store = Volumes.open(Volumes.again(device));
    }

    private void checkOnly(List<RecordHandle> held, List<RecordHandle> gone) {
        assertThat(store.status().blocksDamaged()).isZero();
        assertThat(store.appended(0)).isEqualTo(held.size());
        assertThat(store.oldest(0)).isEqualTo(1);
        StreamReader reader = store.reader();
        for (RecordHandle each : gone) {
            assertThat(reader.read(each, view)).isFalse();
        }
        StreamCursor cursor = reader.cursor(0, Long.MIN_VALUE);
        for (int i = 0; i < held.size(); i++) {
            assertThat(cursor.next(view)).isTrue();
            assertThat(view.handle()).isEqualTo(held.get(i));
            assertThat(reader.read(held.get(i), view)).isTrue();
            assertThat(view.number()).isEqualTo(i + 1);
        }
        assertThat(cursor.next(view)).isFalse();
    }
}
