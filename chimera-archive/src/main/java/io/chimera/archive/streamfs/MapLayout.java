package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.layout.VolumeLayout.MAP_ENTRY_LENGTH;
import static io.chimera.archive.streamfs.layout.VolumeLayout.MAP_HEADER_LENGTH;
import static io.chimera.archive.streamfs.layout.VolumeLayout.MAP_MAGIC;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.archive.streamfs.layout.VolumeLayout;
import io.chimera.common.wire.Checksums;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/** Layout of the map of a group of blocks, drawn in {@link VolumeLayout}; a cache of the block headers. */
final class MapLayout {
    private static final int CRC = 8;
    private static final int CRC_FROM = 12;
    private static final int ENTRIES = 12;
    private static final int VOLUME = 16;
    private static final int GROUP = 24;

    private MapLayout() {}

    static void begin(UnsafeBuffer map) {
        map.setMemory(0, map.capacity(), (byte) 0);
    }

    static void put(UnsafeBuffer map, int index, Block block, boolean isUnfinished) {
        int at = MAP_HEADER_LENGTH + index * MAP_ENTRY_LENGTH;
        map.putInt(at, block.stream + 1, LITTLE_ENDIAN);
        map.putInt(at + 4, isUnfinished ? 1 : 0, LITTLE_ENDIAN);
        map.putLong(at + 8, block.number, LITTLE_ENDIAN);
        map.putLong(at + 16, block.position, LITTLE_ENDIAN);
        map.putLong(at + 24, block.firstRecord, LITTLE_ENDIAN);
        map.putLong(at + 32, block.timeMinNs, LITTLE_ENDIAN);
        map.putLong(at + 40, block.timeMaxNs, LITTLE_ENDIAN);
        map.putLong(at + 48, block.lastMac, LITTLE_ENDIAN);
        map.putInt(at + 56, block.end, LITTLE_ENDIAN);
    }

    static void end(UnsafeBuffer map, CRC32C crc, long volume, long group, int entries) {
        map.putLong(0, MAP_MAGIC, LITTLE_ENDIAN);
        map.putInt(ENTRIES, entries, LITTLE_ENDIAN);
        map.putLong(VOLUME, volume, LITTLE_ENDIAN);
        map.putLong(GROUP, group, LITTLE_ENDIAN);
        map.putInt(CRC, crc(crc, map), LITTLE_ENDIAN);
    }

    /** Returns true for a whole map of the group, written in any turn. */
    static boolean isGenuine(DirectBuffer map, CRC32C crc, long volume, int group, int groups, int entries) {
        return map.getLong(0, LITTLE_ENDIAN) == MAP_MAGIC
                && map.getLong(VOLUME, LITTLE_ENDIAN) == volume
                && map.getInt(ENTRIES, LITTLE_ENDIAN) == entries
                && map.getLong(GROUP, LITTLE_ENDIAN) % groups == group
                && map.getInt(CRC, LITTLE_ENDIAN) == crc(crc, map);
    }

    /** Returns null for a free block. */
    static @Nullable Block block(DirectBuffer map, int index) {
        int at = MAP_HEADER_LENGTH + index * MAP_ENTRY_LENGTH;
        int stream = map.getInt(at, LITTLE_ENDIAN) - 1;
        if (stream < 0) {
            return null;
        }
        Block block = new Block(stream, map.getLong(at + 8, LITTLE_ENDIAN), map.getLong(at + 24, LITTLE_ENDIAN), false);
        block.position = map.getLong(at + 16, LITTLE_ENDIAN);
        block.timeMinNs = map.getLong(at + 32, LITTLE_ENDIAN);
        block.timeMaxNs = map.getLong(at + 40, LITTLE_ENDIAN);
        block.lastMac = map.getLong(at + 48, LITTLE_ENDIAN);
        block.end = map.getInt(at + 56, LITTLE_ENDIAN);
        return block;
    }

    static boolean isUnfinished(DirectBuffer map, int index) {
        return map.getInt(MAP_HEADER_LENGTH + index * MAP_ENTRY_LENGTH + 4, LITTLE_ENDIAN) != 0;
    }

    private static int crc(CRC32C crc, DirectBuffer map) {
        return Checksums.crc32c(crc, map, CRC_FROM, map.capacity() - CRC_FROM);
    }
}
