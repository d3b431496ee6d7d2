package io.chimera.archive.streamfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.archive.streamfs.layout.Geometry;
import io.chimera.archive.streamfs.layout.HandleLayout;
import io.chimera.archive.streamfs.layout.Label;
import io.chimera.archive.streamfs.layout.SipHash;
import io.chimera.archive.streamfs.layout.VolumeLayout;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.wire.Checksums;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Arbitrary labels, roots and maps with valid checksums, and arbitrary handles: a volume opens or reports an error, and
 * returns only appended data.
 */
final class HeadFuzz {
    private static final String OPENS = "It opens.";
    private static final int CRC_AT = 8;
    private static final int CRC_FROM = 12;

    /** Start of the fuzzed bytes, after volume id and secrets: with other secrets no record is genuine. */
    private static final int LABEL_FROM = 40;

    private static final int ROOT_FROM = 24;
    private static final int MAP_FROM = 32;

    private final WrittenVolume volume = new WrittenVolume();
    private final Geometry geometry;
    private final SipHash hash;

    /** Volume for reads by handle; null before the first read. */
    private StreamFs asked;

    HeadFuzz() {
        Label label = Label.decode(volume.bytes());
        geometry = new Geometry(label);
        hash = new SipHash(label.secret0(), label.secret1());
    }

    /** The first byte selects the structure, the second the place in it. */
    @FuzzTest(maxDuration = "1m")
    void believesNoNonsense(byte[] bytes) {
        if (bytes.length >= 3) {
            assertThat(refusal(bytes)).isNotEmpty();
        }
    }

    /** Returns the error of opening the changed volume; {@link #OPENS} on success. */
    private String refusal(byte[] bytes) {
        UnsafeBuffer changed = volume.copy();
        switch (bytes[0] & 3) {
            case 0 -> {
                change(changed, (int) geometry.labelOffset(0), VolumeLayout.LABEL_LENGTH, LABEL_FROM, bytes);
                change(changed, (int) geometry.labelOffset(1), VolumeLayout.LABEL_LENGTH, LABEL_FROM, bytes);
            }
            case 1 -> {
                change(changed, (int) geometry.rootOffset(0), geometry.rootBytes, ROOT_FROM, bytes);
                change(changed, (int) geometry.rootOffset(1), geometry.rootBytes, ROOT_FROM, bytes);
            }
            case 2 -> change(changed, (int) geometry.rootOffset(bytes[1] & 1), geometry.rootBytes, ROOT_FROM, bytes);
            default -> {
                for (int slot = geometry.groupBlocks - 1; slot < geometry.slots; slot += geometry.groupBlocks) {
                    change(changed, (int) geometry.offset(slot), geometry.mapBytes(), MAP_FROM, bytes);
                }
            }
        }
        try {
            read(WrittenVolume.open(changed));
            return OPENS;
        } catch (ChimeraException e) {
            return e.getMessage();
        }
    }

    @Test
    void refusesALabelWithoutSectors() {
        assertThat(refusal(new byte[] {0, 48 - LABEL_FROM, 0, 0, 0, 0})).contains("no label of a volume");
    }

    @Test
    void refusesALabelWithoutDevices() {
        assertThat(refusal(new byte[] {0, 44 - LABEL_FROM, 0, 0, 0, 0})).contains("no label of a volume");
    }

    @Test
    void refusesRootsWithMoreStreamsThanThereIsRoomFor() {
        assertThat(refusal(new byte[] {1, 48 - ROOT_FROM, -1, -1, -1, 127})).startsWith("Both roots of volume");
        assertThat(refusal(new byte[] {1, 48 - ROOT_FROM, -1, -1, -1, -1})).startsWith("Both roots of volume");
    }

    @Test
    void refusesRootsWithANameLongerThanItCanBe() {
        assertThat(refusal(new byte[] {1, 64 + 24 - ROOT_FROM, -1})).startsWith("Both roots of volume");
        assertThat(refusal(new byte[] {1, 64 + 24 - ROOT_FROM, 127})).startsWith("Both roots of volume");
    }

    @Test
    void refusesRootsWithPositionsBeforeTheFirst() {
        assertThat(refusal(new byte[] {1, 32 - ROOT_FROM, -1, -1, -1, -1, -1, -1, -1, -1}))
                .startsWith("Both roots of volume");
    }

    @Test
    void readsBlocksThatAMapPutsElsewhere() {
        assertThat(refusal(new byte[] {3, 64 + 16 - MAP_FROM, -1, -1, -1, -1, -1, -1, -1, -1}))
                .isEqualTo(OPENS);
    }

    private static void change(UnsafeBuffer changed, int at, int length, int from, byte[] bytes) {
        int begin = from + (bytes[1] & 0xFF) % (length - from);
        changed.putBytes(at + begin, bytes, 2, Math.min(bytes.length - 2, length - begin));
        int sum = Checksums.crc32c(new CRC32C(), changed, at + CRC_FROM, length - CRC_FROM);
        changed.putInt(at + CRC_AT, sum, ByteOrder.LITTLE_ENDIAN);
    }

    private void read(StreamFs store) {
        RecordView view = new RecordView();
        StreamReader reader = store.reader();
        long number = 0;
        for (RecordHandle handle : volume.handles()) {
            number++;
            try {
                if (reader.read(handle, view)) {
                    assertThat(WrittenVolume.isAppended(view, number)).isTrue();
                }
            } catch (ChimeraException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
    }

    /** Tries two numbers as a handle; then the same location with a valid check, for the actual record or another. */
    @FuzzTest(maxDuration = "1m")
    void readsNothingByAForgedHandle(byte[] bytes) {
        if (bytes.length < 2 * Long.BYTES) {
            return;
        }
        UnsafeBuffer numbers = new UnsafeBuffer(bytes);
        long location = numbers.getLong(0);
        long check = numbers.getLong(Long.BYTES);
        if (asked == null) {
            asked = Volumes.open(new MemoryDevice(volume.bytes(), Volumes.ALIGNMENT, 4));
        }
        RecordHandle other = volume.handles().get((int) (check & 31));
        read(asked, location, check);
        read(asked, location, HandleLayout.check(hash, location, check));
        read(asked, location, HandleLayout.check(hash, location, other.check()));
    }

    private static void read(StreamFs store, long location, long check) {
        RecordView view = new RecordView();
        try {
            if (store.reader().read(new RecordHandle(location, check), view)) {
                assertThat(WrittenVolume.isAppended(view, view.number())).isTrue();
            }
        } catch (ChimeraException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }
}
