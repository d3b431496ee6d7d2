package io.chimera.common.config;

import io.chimera.common.config.binding.ByteSize;
import io.chimera.common.config.binding.Default;
import io.chimera.common.config.binding.Doc;
import io.chimera.common.config.binding.Requirements;
import io.chimera.common.config.binding.Sections;
import java.util.List;

/** Stream of a volume written by a node (docs/archive.md). */
public record VolumeConfig(
        @Doc("Devices or files of the volume, in the order of their creation; relative paths are in the node's data"
                + " folder. Each node needs volumes of its own. Empty: points.volume for a store, journal.volume"
                + " for a journal.")
        @Default
        List<String> devices,

        @Doc("Size of each file of a new volume, created if all files are missing and their paths are relative;"
                + " 32MiB or more. Files with absolute paths are never created, because their file system may just"
                + " not be mounted.")
        @Default("1GiB")
        ByteSize size,

        @Doc("The stream of the volume. Empty: points for a store, journal for a journal.") @Default
        String stream,

        @Doc("Guaranteed size of the stream's newest records in a volume with other streams; the index"
                + " of a stream of points gets an additional tenth.")
        @Default("0B")
        ByteSize guarantee) {
    private static final int STREAM_LENGTH_MAX = 48;

    /** Checks the values. */
    public VolumeConfig {
        new Requirements()
                .that(devices.stream().noneMatch(String::isBlank), "devices", devices, "paths")
                .that(size.compareTo(ByteSize.ofMebibytes(32)) >= 0, "size", size, "32MiB or more")
                .that(
                        stream.matches("[A-Za-z0-9._-]{0," + STREAM_LENGTH_MAX + "}"),
                        "stream",
                        "'" + stream + "'",
                        "1 to " + STREAM_LENGTH_MAX + " letters, digits, dots, underscores and hyphens")
                .check();
    }

    /** Returns a copy with defaults for missing devices and stream. */
    VolumeConfig or(String device, String name) {
        return new VolumeConfig(
                devices.isEmpty() ? List.of(device) : devices, size, stream.isEmpty() ? name : stream, guarantee);
    }

    /** Returns the configuration for the rows of a store, with defaults. */
    public static VolumeConfig ofPoints(VolumeConfig given) {
        return (given == null ? Sections.of(VolumeConfig.class) : given).or("points.volume", "points");
    }
}
