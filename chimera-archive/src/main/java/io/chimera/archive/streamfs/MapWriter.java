package io.chimera.archive.streamfs;

import io.chimera.archive.streamfs.layout.Geometry;
import java.util.List;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/** Encodes the current slots of a group as a map. */
final class MapWriter {
    private MapWriter() {}

    static void encode(
            UnsafeBuffer map,
            CRC32C crc,
            long volume,
            Geometry geometry,
            long group,
            Block[] slots,
            List<StreamState> streams) {
        MapLayout.begin(map);
        int entries = geometry.groupBlocks - 1;
        int first = geometry.slot(group * geometry.groupBlocks);
        for (int i = 0; i < entries; i++) {
            Block block = slots[first + i];
            if (block != null) {
                boolean isOpen = block.number >= streams.get(block.stream).durableBlock();
                MapLayout.put(map, i, block, isOpen || block.isShort);
            }
        }
        MapLayout.end(map, crc, volume, group, entries);
    }
}
