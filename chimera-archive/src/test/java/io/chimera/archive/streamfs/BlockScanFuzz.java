package io.chimera.archive.streamfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Any bytes over a volume: it opens or says why not, and what it returns is what was appended. When they are no more than a sector, nothing
 * is missing without an error.
 */
final class BlockScanFuzz {
    private static final int RECORDS = 60;
    private static final int LENGTH = 900;

    private final UnsafeBuffer image;
    private final List<RecordHandle> handles = new ArrayList<>();

    BlockScanFuzz() {
        MemoryDevice device = Volumes.device(20);
        StreamFs store = Volumes.open(device);
        int stream = store.open(Volumes.settings("a", 6));
        for (int i = 0; i < RECORDS; i++) {
            handles.add(Volumes.append(store, stream, LENGTH));
            if (i % 9 == 0) {
                Volumes.sync(store, stream);
            }
        }
        store.close();
        image = device.memory();
    }

    /** The first four bytes say where the rest goes, from the end on when they are negative. */
    @FuzzTest(maxDuration = "1m")
    void returnsNothingThatWasNotAppended(byte[] bytes) {
        if (bytes.length < 5) {
            return;
        }
        UnsafeBuffer from = new UnsafeBuffer(bytes);
        UnsafeBuffer changed = PowerCutDevice.blank(image.capacity());
        changed.putBytes(0, image, 0, image.capacity());
        int length = Math.min(bytes.length - 4, image.capacity());
        changed.putBytes(Math.floorMod(from.getInt(0), image.capacity() - length + 1), bytes, 4, length);
        try {
            PowerCutDevice device = new PowerCutDevice(new PowerCutDevice.Power(1), changed, Volumes.ALIGNMENT, 4);
            read(
                    StreamFs.open(List.of(device), VolumeSettings.DEFAULT, new ManualClock()),
                    length <= Volumes.ALIGNMENT);
        } catch (ChimeraException e) {
            assertThat(e).hasMessageContaining(".");
        }
    }

    private void read(StreamFs store, boolean isOneSector) {
        RecordView view = new RecordView();
        StreamReader reader = store.reader();
        for (int i = 0; i < handles.size(); i++) {
            try {
                if (reader.read(handles.get(i), view)) {
                    assertThat(view.number()).isEqualTo(i + 1);
                    assertThat(view.buffer().compareTo(Volumes.record(0, i + 1, LENGTH)))
                            .isZero();
                } else {
                    assertThat(isOneSector).as("record %d is gone", i + 1).isFalse();
                }
            } catch (ChimeraException e) {
                assertThat(e).hasMessageContaining("damaged");
            }
        }
    }
}
