package io.chimera.archive.query;

import io.chimera.archive.index.Index;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.archive.query.key.PointKeys;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.archive.streamfs.store.StreamStatus;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Data stream with its index.
 *
 * @param name name of the data stream
 * @param kind kind of its records: {@link #PACKETS} or {@link #POINTS}
 * @param number index of the data stream in its volume
 * @param index index of the data stream
 */
public record ArchiveStream(String name, String kind, int number, Index index) {
    /** Kind of data streams with packets. */
    public static final String PACKETS = "packets";

    /** Kind of data streams with data points. */
    public static final String POINTS = "points";

    /** Kind of index streams. */
    public static final String INDEX_KIND = "index";

    private static final Logger LOG = LoggerFactory.getLogger(ArchiveStream.class);
    private static final String INDEX_SUFFIX = ".index";

    private static final Map<String, IndexSettings> INDICES = Map.of(
            PACKETS, IndexSettings.of(PacketKeys.keys()),
            POINTS, IndexSettings.of(PointKeys.keys()).inAnyOrder());

    /** Opens or creates a stream for writing. Writer's thread. */
    public static ArchiveStream create(StreamStore store, String kind, ArchiveSettings settings) {
        Optional<StreamSettings> before =
                find(store.streams(), settings.stream(), kind).map(StreamStatus::settings);
        int data = store.open(new StreamSettings(settings.stream(), kind, settings.guaranteeBytes()));
        int index = openIndex(store, settings, before);
        return new ArchiveStream(settings.stream(), kind, data, Index.open(store, data, index, settings.index()));
    }

    /**
     * Opens the index stream. An existing index keeps its old guarantee if a tenth does not fit and the guarantee of
     * the data was not raised: older versions used a smaller share.
     */
    private static int openIndex(StreamStore store, ArchiveSettings settings, Optional<StreamSettings> before) {
        String name = settings.stream() + INDEX_SUFFIX;
        try {
            return store.open(new StreamSettings(name, INDEX_KIND, settings.indexGuaranteeBytes()));
        } catch (ChimeraException e) {
            Optional<StreamStatus> held = find(store.streams(), name, INDEX_KIND);
            if (held.isEmpty() || before.isEmpty()) {
                throw e;
            }
            if (before.get().guaranteeBytes() < settings.guaranteeBytes()) {
                store.open(before.get()); // restore the old guarantee: a refused opening changes nothing
                throw e;
            }
            LOG.warn(
                    "{} The index keeps its guarantee of {} bytes. Reduce the guarantee of stream '{}'; its index needs"
                            + " a tenth in addition.",
                    e.getMessage(),
                    held.get().settings().guaranteeBytes(),
                    settings.stream());
            return store.open(held.get().settings());
        }
    }

    /**
     * Returns the queryable streams of a volume without a writer. A stream without an index was never written to.
     *
     * @param without names of excluded streams
     */
    public static List<ArchiveStream> all(StreamStore store, Set<String> without) {
        List<StreamStatus> streams = store.streams();
        List<ArchiveStream> found = new ArrayList<>();
        for (StreamStatus stream : streams) {
            String name = stream.settings().name();
            String kind = stream.settings().kind();
            if (INDICES.containsKey(kind) && !without.contains(name)) {
                find(streams, name + INDEX_SUFFIX, INDEX_KIND)
                        .map(index -> Index.open(store, stream.stream(), index.stream(), INDICES.get(kind)))
                        .ifPresent(index -> found.add(new ArchiveStream(name, kind, stream.stream(), index)));
            }
        }
        return found;
    }

    /** Returns the streams to remove for a name: the stream, and its index if present. */
    public static List<StreamStatus> removedWith(StreamStore store, String name) {
        List<StreamStatus> streams = store.streams();
        List<StreamStatus> removed = new ArrayList<>();
        find(streams, name + INDEX_SUFFIX, INDEX_KIND).ifPresent(removed::add);
        streams.stream().filter(stream -> stream.settings().name().equals(name)).forEach(removed::add);
        return removed;
    }

    private static Optional<StreamStatus> find(List<StreamStatus> streams, String name, String kind) {
        return streams.stream()
                .filter(stream -> stream.settings().kind().equals(kind))
                .filter(stream -> stream.settings().name().equals(name))
                .findFirst();
    }
}
