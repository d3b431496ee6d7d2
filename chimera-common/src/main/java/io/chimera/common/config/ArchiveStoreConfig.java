package io.chimera.common.config;

import java.util.List;

/** Where a store of type archive keeps its rows: a stream of a volume (docs/archive.md). */
public record ArchiveStoreConfig(
        @Doc(
                "Devices or files of the volume, in the order of their creation; relative ones lie in the node's data folder. Each"
                        + " processor needs a volume of its own, and each store.")
        List<String> devices,

        @Doc("Size of each file where none of them is there: a volume is made of them; from 16MiB on.")
        ByteSize size,

        @Doc("The stream of the volume.") String stream,

        @Doc("What the newest rows keep of the device where other streams are in the volume, too; the index gets a"
                + " sixteenth more.")
        ByteSize guarantee) {
    private static final int STREAM_LENGTH_MAX = 48;

    /** Fills in the defaults. */
    public ArchiveStoreConfig {
        devices = devices == null ? List.of("points.volume") : List.copyOf(devices);
        size = size == null ? ByteSize.ofGibibytes(1) : size;
        stream = stream == null ? "points" : stream;
        guarantee = guarantee == null ? new ByteSize(0) : guarantee;
        new Requirements()
                .that(
                        !devices.isEmpty() && devices.stream().noneMatch(String::isBlank),
                        "devices",
                        devices,
                        "at least one path")
                .that(size.compareTo(ByteSize.ofMebibytes(16)) >= 0, "size", size, "16MiB or more")
                .that(
                        stream.matches("[A-Za-z0-9._-]{1," + STREAM_LENGTH_MAX + "}"),
                        "stream",
                        "'" + stream + "'",
                        "1 to " + STREAM_LENGTH_MAX + " letters, digits, dots, underscores and hyphens")
                .check();
    }
}
