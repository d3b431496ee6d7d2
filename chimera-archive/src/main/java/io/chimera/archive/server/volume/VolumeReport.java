package io.chimera.archive.server.volume;

import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.streamfs.store.StreamStatus;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.archive.streamfs.store.VolumeStatus;
import io.chimera.common.metrics.ArchiveGauge;
import io.chimera.common.metrics.Metrics;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Describes volumes and streams as maps. Any thread. */
public final class VolumeReport {
    private VolumeReport() {}

    /** Describes a volume. */
    public static Map<String, Object> of(VolumeStatus status) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("devices", status.devices());
        map.put("bytes", status.sizeBytes());
        map.put("guarantee_bytes", status.guaranteeBytes());
        map.put("guarantee_bytes_max", status.guaranteeBytesMax());
        map.put("utilisation", (double) status.guaranteeBytes() / status.sizeBytes());
        map.put("turns", status.turns());
        map.put("blocks_written", status.blocksWritten());
        map.put("blocks_skipped", status.blocksSkipped());
        map.put("blocks_damaged", status.blocksDamaged());
        map.put("bytes_written", status.bytesWritten());
        map.put("flushes", status.flushes());
        map.put("failure", status.failure() == null ? "" : status.failure());
        return map;
    }

    /** Describes a stream. */
    public static Map<String, Object> of(StreamStatus stream) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", stream.settings().name());
        map.put("kind", stream.settings().kind());
        map.put("records", stream.appended());
        map.put("records_durable", stream.durable());
        map.put("records_held", held(stream));
        map.put("since", since(stream));
        map.put("blocks", stream.blocks());
        map.put("bytes", stream.heldBytes());
        map.put("guarantee_bytes", stream.settings().guaranteeBytes());
        return map;
    }

    /** Returns the number of records of a stream that have not been overwritten. */
    public static long held(StreamStatus stream) {
        return stream.appended() - stream.oldest() + 1;
    }

    /** Returns the time of the oldest record as text; empty for a stream without records. */
    public static String since(StreamStatus stream) {
        long ns = stream.oldestTimeNs();
        return held(stream) == 0 || ns == Long.MAX_VALUE
                ? ""
                : Instant.ofEpochSecond(0, ns).toString();
    }

    /**
     * Registers gauges of a volume.
     *
     * @param component name of the component in the metrics
     */
    public static void register(Metrics metrics, String component, StreamStore store) {
        metrics.register(
                component, ArchiveGauge.VOLUME_SIZE_BYTES, () -> store.status().sizeBytes());
        metrics.register(component, ArchiveGauge.VOLUME_GUARANTEED_BYTES, () -> store.status()
                .guaranteeBytes());
        metrics.register(component, ArchiveGauge.VOLUME_WRITTEN_BYTES, () -> store.status()
                .bytesWritten());
        metrics.register(
                component, ArchiveGauge.VOLUME_TURNS, () -> store.status().turns());
        metrics.register(component, ArchiveGauge.VOLUME_BLOCKS_DAMAGED, () -> store.status()
                .blocksDamaged());
        metrics.register(component, ArchiveGauge.VOLUME_RECORDS_WAITING, () -> store.streams().stream()
                .filter(stream ->
                        // index records wait for more entries, and are rebuilt after a crash
                        !stream.settings().kind().equals(ArchiveStream.INDEX_KIND))
                .mapToLong(stream -> stream.appended() - stream.durable())
                .sum());
        metrics.register(
                component, ArchiveGauge.VOLUME_FAILED, () -> store.status().failure() == null ? 0L : 1L);
    }
}
