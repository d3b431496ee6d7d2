package io.chimera.archive.streamfs;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.time.Duration;

/**
 * Run-time settings of a volume.
 *
 * @param linger maximum time a record waits for its block to fill before it is written and flushed
 * @param buffers block buffers for waiting writes, in addition to one per written stream; 1 is enough for read-only use
 */
public record VolumeSettings(Duration linger, int buffers) {
    /** Defaults: half a second; 32 blocks, equal to 80 ms of a device with 400 MiB/s. */
    public static final VolumeSettings DEFAULT = new VolumeSettings(Duration.ofMillis(500), 32);

    private static final int BUFFERS_MAX = 2047;

    /** Validates the ranges. */
    public VolumeSettings {
        if (linger.isNegative() || buffers < 1 || buffers > BUFFERS_MAX) {
            throw new ChimeraException(
                    Category.ERROR,
                    "A volume cannot be run with linger " + linger + " and " + buffers
                            + " buffers; linger must not be negative, and buffers must be 1 to " + BUFFERS_MAX
                            + ".");
        }
    }
}
