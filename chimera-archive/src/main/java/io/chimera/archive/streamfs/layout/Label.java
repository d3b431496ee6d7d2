package io.chimera.archive.streamfs.layout;

import static io.chimera.archive.streamfs.layout.VolumeLayout.LABEL_LENGTH;
import static io.chimera.archive.streamfs.layout.VolumeLayout.LABEL_MAGIC;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.wire.Checksums;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Label of a device of a volume: written twice at format time, never changed.
 *
 * @param device index among the devices of the volume
 * @param deviceBlocks blocks per device
 */
public record Label(
        long volume,
        long secret0,
        long secret1,
        int device,
        int devices,
        int alignment,
        int blockBytes,
        int groupBlocks,
        int streamsMax,
        long deviceBlocks,
        int regionBlocks) {
    private static final int CRC = 8;
    private static final int CRC_FROM = 12;

    /** Returns a copy for another device. */
    Label of(int otherDevice) {
        return new Label(
                volume,
                secret0,
                secret1,
                otherDevice,
                devices,
                alignment,
                blockBytes,
                groupBlocks,
                streamsMax,
                deviceBlocks,
                regionBlocks);
    }

    void encode(UnsafeBuffer into) {
        into.setMemory(0, into.capacity(), (byte) 0);
        into.putLong(0, LABEL_MAGIC, LITTLE_ENDIAN);
        into.putInt(12, VolumeLayout.VERSION, LITTLE_ENDIAN);
        into.putLong(16, volume, LITTLE_ENDIAN);
        into.putLong(24, secret0, LITTLE_ENDIAN);
        into.putLong(32, secret1, LITTLE_ENDIAN);
        into.putInt(40, device, LITTLE_ENDIAN);
        into.putInt(44, devices, LITTLE_ENDIAN);
        into.putInt(48, alignment, LITTLE_ENDIAN);
        into.putInt(52, blockBytes, LITTLE_ENDIAN);
        into.putInt(56, groupBlocks, LITTLE_ENDIAN);
        into.putInt(60, streamsMax, LITTLE_ENDIAN);
        into.putLong(64, deviceBlocks, LITTLE_ENDIAN);
        into.putInt(72, regionBlocks, LITTLE_ENDIAN);
        into.putInt(CRC, crc(into), LITTLE_ENDIAN);
    }

    /** Checks for plausible values: the checksum detects damage, but does not prove the origin of a label. */
    private boolean isSound() {
        return device >= 0
                && device < devices
                && Integer.bitCount(alignment) == 1
                && Integer.bitCount(blockBytes) == 1
                && blockBytes <= HandleLayout.BLOCK_BYTES_MAX
                && alignment > 0
                && alignment <= blockBytes / VolumeFormat.SECTORS_MIN
                && Integer.bitCount(groupBlocks) == 1
                && groupBlocks > 1
                && (long) groupBlocks * VolumeLayout.MAP_ENTRY_LENGTH + VolumeLayout.MAP_HEADER_LENGTH <= blockBytes
                && streamsMax > 0
                && streamsMax <= HandleLayout.STREAMS_MAX
                && deviceBlocks > 0
                && deviceBlocks <= Integer.MAX_VALUE / devices
                && deviceBlocks * devices >= groupBlocks
                && regionBlocks >= 0;
    }

    /** Returns null if the label is missing or damaged. */
    public static @Nullable Label decode(DirectBuffer from) {
        if (from.getLong(0, LITTLE_ENDIAN) != LABEL_MAGIC || from.getInt(CRC, LITTLE_ENDIAN) != crc(from)) {
            return null;
        }
        int version = from.getInt(12, LITTLE_ENDIAN);
        if (version != VolumeLayout.VERSION) {
            throw new ChimeraException(
                    Category.FATAL,
                    "The device has layout version " + version + ", but this program supports "
                            + VolumeLayout.VERSION
                            + "; use the program version that formatted the device, or format the device again.");
        }
        Label label = new Label(
                from.getLong(16, LITTLE_ENDIAN),
                from.getLong(24, LITTLE_ENDIAN),
                from.getLong(32, LITTLE_ENDIAN),
                from.getInt(40, LITTLE_ENDIAN),
                from.getInt(44, LITTLE_ENDIAN),
                from.getInt(48, LITTLE_ENDIAN),
                from.getInt(52, LITTLE_ENDIAN),
                from.getInt(56, LITTLE_ENDIAN),
                from.getInt(60, LITTLE_ENDIAN),
                from.getLong(64, LITTLE_ENDIAN),
                from.getInt(72, LITTLE_ENDIAN));
        return label.isSound() ? label : null;
    }

    private static int crc(DirectBuffer label) {
        return Checksums.crc32c(new CRC32C(), label, CRC_FROM, LABEL_LENGTH - CRC_FROM);
    }
}
