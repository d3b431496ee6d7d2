package io.chimera.archive.streamfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.streamfs.store.StreamStatus;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Either root slot may be damaged at any time: both hold the directory. */
final class DamagedRootTest {
    private final MemoryDevice device = Volumes.device(64);
    private final StreamFs store = Volumes.open(device);

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aStreamIsInBothSlotsWhenItWasOpened(int slot) {
        store.open(Volumes.settings("a", 3));
        store.open(Volumes.settings("b", 5));
        store.open(Volumes.settings("a", 7));

        damageRoot(slot);

        assertThat(again().streams())
                .extracting(StreamStatus::settings)
                .containsExactly(Volumes.settings("a", 7), Volumes.settings("b", 5));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aStreamThatWasRemovedIsInNeither(int slot) {
        store.open(Volumes.settings("a", 3));
        store.open(Volumes.settings("b", 5));
        store.remove(0);

        damageRoot(slot);

        assertThat(again().streams()).extracting(StreamStatus::settings).containsExactly(Volumes.settings("b", 5));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aCleanEndSaysInBothWhatWasAcknowledged(int slot) {
        store.open(Volumes.settings("a", 3));
        Volumes.append(store, 0, 100);
        store.close();

        damageRoot(slot);
        // Also destroy the only run of the stream: the root is the only trace of the record.
        device.memory().setMemory(Volumes.blockOffset(0), Volumes.BLOCK_BYTES, (byte) 0);
        StreamFs again = again();

        assertThat(again.appended(0)).isEqualTo(1);
        assertThat(again.status().blocksDamaged()).isEqualTo(1);
    }

    private void damageRoot(int slot) {
        int at = Volumes.rootOffset(slot) + 100;
        device.memory().putByte(at, (byte) (device.memory().getByte(at) ^ 1));
    }

    private StreamFs again() {
        return Volumes.open(Volumes.again(device));
    }
}
