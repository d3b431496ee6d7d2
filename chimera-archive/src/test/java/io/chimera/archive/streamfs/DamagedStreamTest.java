package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.Volumes.append;
import static io.chimera.archive.streamfs.Volumes.settings;
import static io.chimera.archive.streamfs.Volumes.sync;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.streamfs.layout.VolumeLayout;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** After a flipped bit, acknowledged records are returned or reported as damaged, and later records are kept. */
final class DamagedStreamTest {
    private static final int LENGTH = 1500;

    private final RecordView view = new RecordView();
    private final List<RecordHandle> handles = new ArrayList<>();
    private MemoryDevice device = Volumes.device(64);
    private StreamFs store;

    @BeforeEach
    void create() {
        store = Volumes.open(device);
        store.open(settings("a", 20));
    }

    @Test
    void keepsTheCountBehindADamagedRunOfTheOpenBlock() {
        appendRuns(7);
        crash();
        flip(1, 3);

        store = Volumes.open(device);

        assertThat(store.appended(0)).isEqualTo(6); // known from the last run, whose own durability is not recorded
        checkLifeGoesOn(6, 2);
    }

    @Test
    void knowsAfterACleanEndWhatTheLastRunHeld() {
        appendRuns(7);
        store.close();
        flip(1, 7);

        store = Volumes.open(device);

        assertThat(store.appended(0)).isEqualTo(7);
        checkLifeGoesOn(7, 6);
    }

    @Test
    void keepsWhatIsWrittenAfterTheOnlyBlockWasLost() {
        appendRuns(3);
        store.close();
        flip(1, 1);

        store = Volumes.open(device);

        assertThat(store.status().blocksDamaged()).isEqualTo(1);
        checkLifeGoesOn(3, 0);
    }

    @Test
    void keepsWhatIsWrittenAfterTheLastBlockWasLost() {
        appendRuns(10); // eight per block
        store.close();
        flip(2, 1);

        store = Volumes.open(device);

        assertThat(store.status().blocksDamaged()).isEqualTo(1);
        checkLifeGoesOn(10, 8);
    }

    @Test
    void keepsTheLastBlockWhenTheOneBeforeIsDamaged() {
        appendRuns(13);
        crash();
        flip(1, 2);

        store = Volumes.open(device);

        assertThat(store.appended(0)).isEqualTo(13);
        assertThat(store.status().blocksDamaged()).isEqualTo(1);
        for (int i = 8; i < 13; i++) {
            assertThat(store.reader().read(handles.get(i), view)).isTrue();
        }
        checkDamaged(1, 8);
    }

    @Test
    void saysThatTheOldestBlockIsDamagedWhenItIsGuaranteed() {
        appendRuns(20);
        store.close();
        flip(1, 1);

        store = Volumes.open(device);

        assertThat(store.status().blocksDamaged()).isEqualTo(1);
        checkDamaged(0, 8);
        assertThat(store.reader().read(handles.get(8), view)).isTrue();
    }

    @Test
    void keepsTheLastBlockWhenAllOlderOnesWereSurplusAndAreOverwritten() {
        for (int before = 36; before < 50; before++) {
            for (int behind = 1; behind < 12; behind++) {
                device = Volumes.device(64);
                store = Volumes.open(device);
                store.open(settings("a", 0));
                store.open(settings("b", 0));
                appendBlocks(0, 1);
                appendBlocks(1, before);
                appendBlocks(0, 1);
                appendBlocks(1, behind);
                crash();

                store = Volumes.open(device);

                assertThat(store.durable(0)).as("%d, %d", before, behind).isEqualTo(2);
                assertThat(store.status().blocksDamaged()).isZero();
            }
        }
    }

    @Test
    void refusesAGuaranteeOfAllBytesThereAre() {
        assertThatThrownBy(() -> store.open(new StreamSettings("b", "test", Long.MAX_VALUE)))
                .hasMessageContaining("cannot be guaranteed");
    }

    private void appendRuns(int count) {
        for (int i = 0; i < count; i++) {
            handles.add(append(store, 0, LENGTH));
            sync(store, 0);
        }
    }

    private void appendBlocks(int stream, int count) {
        for (int i = 0; i < count; i++) {
            append(store, stream, store.recordLengthMax());
            sync(store, stream);
        }
    }

    private void crash() {
        device = Volumes.again(device);
    }

    /** Flips a bit in the header of a run of a block, both counted from 1. */
    private void flip(long block, int run) {
        UnsafeBuffer memory = device.memory();
        int runs = 0;
        for (int at = 0; at < memory.capacity(); at += Volumes.ALIGNMENT) {
            boolean isRun = memory.getLong(at, LITTLE_ENDIAN) == VolumeLayout.RUN_MAGIC;
            if (isRun && RunLayout.block(memory, at) == block && ++runs == run) {
                memory.putByte(at + 45, (byte) (memory.getByte(at + 45) ^ 4));
            }
        }
        assertThat(runs).isGreaterThanOrEqualTo(run);
    }

    /**
     * Checks that records are returned up to a number and damaged up to another, and that later records survive all
     * further openings.
     */
    private void checkLifeGoesOn(int durable, int whole) {
        for (int life = 0; life < 3; life++) {
            handles.subList(durable + life, handles.size()).clear();
            checkDamaged(whole, durable);
            RecordHandle handle = append(store, 0, LENGTH);
            assertThat(store.appended(0)).isEqualTo(durable + life + 1);
            handles.add(handle);
            sync(store, 0);
            store.close();
            crash();
            store = Volumes.open(device);
            assertThat(store.appended(0)).isEqualTo(durable + life + 1);
            for (int i = 0; i < handles.size(); i++) {
                if (i < whole || i >= durable) {
                    assertThat(store.reader().read(handles.get(i), view)).isTrue();
                    assertThat(view.number()).isEqualTo(i + 1);
                }
            }
        }
    }

    private void checkDamaged(int from, int to) {
        for (int i = from; i < to; i++) {
            RecordHandle handle = handles.get(i);
            assertThatThrownBy(() -> store.reader().read(handle, view))
                    .isInstanceOf(ChimeraException.class)
                    .hasMessageContaining("damaged");
        }
    }
}
