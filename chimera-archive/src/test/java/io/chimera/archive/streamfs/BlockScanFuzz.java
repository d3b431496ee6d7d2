package io.chimera.archive.streamfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.common.error.ChimeraException;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Arbitrary bytes overwrite part of a volume: it opens or reports an error, and returns only appended data. If at most
 * a sector is overwritten, no record is missing without an error.
 */
final class BlockScanFuzz {
    private final WrittenVolume volume = new WrittenVolume();

    /** The first four bytes are the offset of the rest, counted from the end if negative. */
    @FuzzTest(maxDuration = "1m")
    void returnsNothingThatWasNotAppended(byte[] bytes) {
        if (bytes.length < 5) {
            return;
        }
        UnsafeBuffer from = new UnsafeBuffer(bytes);
        UnsafeBuffer changed = volume.copy();
        int length = Math.min(bytes.length - 4, changed.capacity());
        changed.putBytes(Math.floorMod(from.getInt(0), changed.capacity() - length + 1), bytes, 4, length);
        try {
            read(WrittenVolume.open(changed), length <= Volumes.ALIGNMENT);
        } catch (ChimeraException e) {
            assertThat(e).hasMessageContaining(".");
        }
    }

    private void read(StreamFs store, boolean isOneSector) {
        RecordView view = new RecordView();
        StreamReader reader = store.reader();
        long number = 0;
        for (RecordHandle handle : volume.handles()) {
            number++;
            try {
                if (reader.read(handle, view)) {
                    assertThat(view.number()).isEqualTo(number);
                    assertThat(WrittenVolume.isAppended(view, number)).isTrue();
                } else {
                    assertThat(isOneSector).as("record %d is gone", number).isFalse();
                }
            } catch (ChimeraException e) {
                assertThat(e).hasMessageContaining("damaged");
            }
        }
    }
}
