package io.chimera.archive.query;

import io.chimera.archive.index.Index;
import io.chimera.archive.index.IndexSettings;
import io.chimera.archive.streamfs.StreamSettings;
import io.chimera.archive.streamfs.StreamStatus;
import io.chimera.archive.streamfs.StreamStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A data stream with its index.
 *
 * @param name of the data stream
 * @param kind what its records are: {@link #PACKETS} or {@link #POINTS}
 * @param number of the data stream in its volume
 * @param index of it
 */
public record ArchiveStream(String name, String kind, int number, Index index) {
    /** What data streams of packets say they are. */
    public static final String PACKETS = "packets";

    /** What data streams of data points say they are. */
    public static final String POINTS = "points";

    /** What the streams beside them say they are. */
    public static final String INDEX_KIND = "index";

    private static final String INDEX_SUFFIX = ".index";

    private static final Map<String, IndexSettings> INDICES = Map.of(
            PACKETS, IndexSettings.of(PacketKeys.keys()),
            POINTS, IndexSettings.of(PointKeys.keys()).inAnyOrder());

    /** Opens or creates a stream to be written. Writer's thread. */
    static ArchiveStream create(StreamStore store, String kind, ArchiveSettings settings) {
        int data = store.open(new StreamSettings(settings.stream(), kind, settings.guaranteeBytes()));
        int index = store.open(
                new StreamSettings(settings.stream() + INDEX_SUFFIX, INDEX_KIND, settings.indexGuaranteeBytes()));
        return new ArchiveStream(settings.stream(), kind, data, Index.open(store, data, index, settings.index()));
    }

    /** All of a volume that nobody writes, to be asked. A stream without an index cannot have been written to. */
    public static List<ArchiveStream> all(StreamStore store) {
        List<StreamStatus> streams = store.streams();
        List<ArchiveStream> found = new ArrayList<>();
        for (StreamStatus stream : streams) {
            String name = stream.settings().name();
            String kind = stream.settings().kind();
            if (INDICES.containsKey(kind)) {
                indexOf(streams, name)
                        .map(index -> Index.open(store, stream.stream(), index.stream(), INDICES.get(kind)))
                        .ifPresent(index -> found.add(new ArchiveStream(name, kind, stream.stream(), index)));
            }
        }
        return found;
    }

    /** The streams that go when a stream is removed: itself, and its index if it has one. */
    public static List<StreamStatus> removedWith(StreamStore store, String name) {
        List<StreamStatus> streams = store.streams();
        List<StreamStatus> removed = new ArrayList<>();
        indexOf(streams, name).ifPresent(removed::add);
        streams.stream().filter(stream -> stream.settings().name().equals(name)).forEach(removed::add);
        return removed;
    }

    private static Optional<StreamStatus> indexOf(List<StreamStatus> streams, String name) {
        return streams.stream()
                .filter(stream -> stream.settings().kind().equals(INDEX_KIND))
                .filter(stream -> stream.settings().name().equals(name + INDEX_SUFFIX))
                .findFirst();
    }
}
