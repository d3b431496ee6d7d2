package io.chimera.archive.streamfs;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.time.Duration;

/**
 * How a volume is run.
 *
 * @param linger how long a record waits for its block to fill before it is written and flushed anyway
 * @param buffers blocks in memory that wait for the device, beyond one for each stream that is written; 1 is enough
 *     to read only
 */
public record VolumeSettings(Duration linger, int buffers) {
    /** Half a second; 32 blocks, 80 ms of a device that takes 400 MiB/s. */
    public static final VolumeSettings DEFAULT = new VolumeSettings(Duration.ofMillis(500), 32);

    private static final int BUFFERS_MAX = 2047;

    /** Refuses what cannot work. */
    public VolumeSettings {
        if (linger.isNegative() || buffers < 1 || buffers > BUFFERS_MAX) {
            throw new ChimeraException(
                    Category.ERROR,
                    "A volume cannot be run with linger " + linger + " and " + buffers
                            + " buffers; the one must not be negative, of the others there must be 1 to " + BUFFERS_MAX + ".");
        }
    }
}
