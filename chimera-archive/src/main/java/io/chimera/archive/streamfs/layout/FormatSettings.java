package io.chimera.archive.streamfs.layout;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;

/**
 * Layout of a volume, fixed at format time.
 *
 * @param blockBytes block size: a power of two from 16 KiB to 1 MiB
 * @param groupBlocks blocks per map, and limit for blocks in flight to the device; a power of two from 4; 0: 256, or
 *     fewer in small volumes
 * @param streamsMax capacity of the stream directory, up to 4096
 * @param regionBlocks blocks per region, e.g. 64, to balance the zones of a rotating disk (Hyperion 2007, 4.5); 0:
 *     front to end, the best order for flash
 */
public record FormatSettings(int blockBytes, int groupBlocks, int streamsMax, int regionBlocks) {
    /** Defaults: 1 MiB blocks, 256 blocks per map, 256 streams, front to end. */
    public static final FormatSettings DEFAULT = new FormatSettings(1 << 20, 0, 256, 0);

    private static final int BLOCK_BYTES_MIN = 16 << 10;
    private static final int GROUP_BLOCKS_MIN = 4;

    /** Validates the limits of the layout. */
    public FormatSettings {
        check(
                Integer.bitCount(blockBytes) == 1
                        && blockBytes >= BLOCK_BYTES_MIN
                        && blockBytes <= HandleLayout.BLOCK_BYTES_MAX,
                "a block of " + blockBytes + " bytes; the size must be a power of two from 16 KiB to 1 MiB");
        check(
                groupBlocks == 0 || (Integer.bitCount(groupBlocks) == 1 && groupBlocks >= GROUP_BLOCKS_MIN),
                groupBlocks + " blocks per map; the number must be a power of two of at least 4, or 0");
        check(
                (long) groupBlocks * VolumeLayout.MAP_ENTRY_LENGTH + VolumeLayout.MAP_HEADER_LENGTH <= blockBytes,
                "a map of " + groupBlocks + " blocks does not fit into a block of " + blockBytes + " bytes");
        check(
                streamsMax > 0 && streamsMax <= HandleLayout.STREAMS_MAX,
                streamsMax + " streams; the maximum must be 1 to 4096");
        check(regionBlocks >= 0, "regions of " + regionBlocks + " blocks; the number must be 0 or more");
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new ChimeraException(Category.ERROR, "A volume cannot be formatted with " + what + ".");
        }
    }
}
