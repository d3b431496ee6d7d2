package io.chimera.archive.streamfs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Either slot of the root can be damaged at any time: the directory is in both. */
final class DamagedRootTest {
    @Test
    void aStreamIsInBothSlotsWhenItWasOpened() {
        for (int slot = 0; slot < 2; slot++) {
            MemoryDevice device = Volumes.device(64);
            StreamFs store = Volumes.open(device);
            store.open(Volumes.settings("a", 3));
            store.open(Volumes.settings("b", 5));
            store.open(Volumes.settings("a", 7));

            damageRoot(device, slot);
            StreamFs again = Volumes.open(Volumes.again(device));

            assertThat(again.streams())
                    .extracting(StreamStatus::settings)
                    .containsExactly(Volumes.settings("a", 7), Volumes.settings("b", 5));
        }
    }

    @Test
    void aStreamThatWasRemovedIsInNeither() {
        for (int slot = 0; slot < 2; slot++) {
            MemoryDevice device = Volumes.device(64);
            StreamFs store = Volumes.open(device);
            store.open(Volumes.settings("a", 3));
            store.open(Volumes.settings("b", 5));
            store.remove(0);

            damageRoot(device, slot);
            StreamFs again = Volumes.open(Volumes.again(device));

            assertThat(again.streams()).extracting(StreamStatus::settings).containsExactly(Volumes.settings("b", 5));
        }
    }

    @Test
    void aCleanEndSaysInBothWhatWasAcknowledged() {
        for (int slot = 0; slot < 2; slot++) {
            MemoryDevice device = Volumes.device(64);
            StreamFs store = Volumes.open(device);
            store.open(Volumes.settings("a", 3));
            Volumes.append(store, 0, 100);
            store.close();

            damageRoot(device, slot);
            // The only run of the stream, too: nothing but the root tells of it.
            device.memory().setMemory(Volumes.blockOffset(0), Volumes.BLOCK_BYTES, (byte) 0);
            StreamFs again = Volumes.open(Volumes.again(device));

            assertThat(again.appended(0)).isEqualTo(1);
            assertThat(again.status().blocksDamaged()).isEqualTo(1);
        }
    }

    private static void damageRoot(MemoryDevice device, int slot) {
        int at = Volumes.rootOffset(slot) + 100;
        device.memory().putByte(at, (byte) (device.memory().getByte(at) ^ 1));
    }
}
