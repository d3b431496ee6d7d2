package io.chimera.archive.query;

import io.chimera.archive.index.Index;
import io.chimera.archive.index.IndexSettings;
import io.chimera.archive.streamfs.StreamSettings;
import io.chimera.archive.streamfs.StreamStatus;
import io.chimera.archive.streamfs.StreamStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A data stream of packets with its index.
 *
 * @param name of the data stream
 * @param number of the data stream in its volume
 * @param index of it
 */
public record PacketStream(String name, int number, Index index) {
    /** What data streams of packets say they are. */
    public static final String KIND = "packets";

    /** What the streams beside them say they are. */
    public static final String INDEX_KIND = "index";

    private static final String INDEX_SUFFIX = ".index";

    /** Opens or creates a stream to be written. Writer's thread. */
    static PacketStream create(StreamStore store, ArchiveSettings settings) {
        int data = store.open(new StreamSettings(settings.stream(), KIND, settings.guaranteeBytes()));
        int index = store.open(
                new StreamSettings(settings.stream() + INDEX_SUFFIX, INDEX_KIND, settings.indexGuaranteeBytes()));
        return new PacketStream(settings.stream(), data, Index.open(store, data, index, settings.index()));
    }

    /** All of a volume that nobody writes, to be asked. A stream without an index cannot have been written to. */
    public static List<PacketStream> all(StreamStore store, IndexSettings settings) {
        List<StreamStatus> streams = store.streams();
        List<PacketStream> found = new ArrayList<>();
        for (StreamStatus stream : streams) {
            String name = stream.settings().name();
            if (stream.settings().kind().equals(KIND)) {
                indexOf(streams, name)
                        .ifPresent(index -> found.add(new PacketStream(
                                name, stream.stream(), Index.open(store, stream.stream(), index.stream(), settings))));
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
