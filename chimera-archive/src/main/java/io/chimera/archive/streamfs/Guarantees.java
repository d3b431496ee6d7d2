package io.chimera.archive.streamfs;

import io.chimera.archive.streamfs.layout.Geometry;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Admission check for guarantees (Hyperion 2007, 4.2). A guarantee occupies whole blocks. A reserve belongs to no
 * stream, so the frontier always finds a block. The reserve is a twentieth of the volume or, if larger, two blocks per
 * stream (the block in progress and the block with the end of the durable part) plus one group of blocks in flight to
 * the device.
 */
final class Guarantees {
    private static final int RESERVE_DIVISOR = 20;

    private final Geometry geometry;

    Guarantees(Geometry geometry) {
        this.geometry = geometry;
    }

    /**
     * Throws if the guarantees of all streams do not fit into the volume.
     *
     * @param changed stream with new settings; null for a new stream
     */
    void check(List<StreamState> streams, @Nullable StreamState changed, StreamSettings settings) {
        long blocks = blocks(settings);
        for (StreamState stream : streams) {
            blocks += stream == changed || stream.isRemoved() ? 0 : blocks(stream.settings());
        }
        int count = count(streams) + (changed == null ? 1 : 0);
        long max = maxBlocks(count);
        if (blocks > max) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Stream '" + settings.name() + "' cannot be guaranteed " + settings.guaranteeBytes()
                            + " bytes: the guarantees would total " + blocks + " blocks of " + geometry.blockBytes
                            + " bytes, and with " + count + " streams the maximum is " + Math.max(max, 0) + ".");
        }
        if (count > geometry.streamsMax) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Stream '" + settings.name() + "' cannot be created: the volume was formatted for "
                            + geometry.streamsMax + " streams.");
        }
    }

    private long blocks(StreamSettings settings) {
        return -Math.floorDiv(-settings.guaranteeBytes(), geometry.blockBytes); // rounds up without overflow
    }

    private long maxBlocks(int streams) {
        int reserve = Math.max(geometry.dataSlots() / RESERVE_DIVISOR, 2 * streams + geometry.groupBlocks + 1);
        return (long) geometry.dataSlots() - reserve;
    }

    long sumBytes(List<StreamState> streams) {
        long sum = 0;
        for (StreamState stream : streams) {
            StreamSettings held = stream.settings;
            sum += held == null ? 0 : held.guaranteeBytes();
        }
        return sum;
    }

    long maxBytes(List<StreamState> streams) {
        return Math.max(0, maxBlocks(count(streams))) * geometry.blockBytes;
    }

    private static int count(List<StreamState> streams) {
        int count = 0;
        for (StreamState stream : streams) {
            count += stream.isRemoved() ? 0 : 1;
        }
        return count;
    }
}
