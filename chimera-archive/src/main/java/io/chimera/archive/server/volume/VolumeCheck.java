package io.chimera.archive.server.volume;

import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.packet.PacketInterval;
import io.chimera.archive.query.point.PointInterval;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamStatus;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;

/**
 * Result of reading every record of a stream with every packet or data point. One thread.
 *
 * @param stream the stream
 * @param records number of readable records
 * @param items number of packets or data points in the readable records
 * @param bytes size of the readable records
 * @param missing number of records within the retained range that are absent
 * @param places descriptions of the damaged places
 */
public record VolumeCheck(
        StreamStatus stream, long records, long items, long bytes, long missing, List<String> places) {
    /** Maximum number of described places. */
    private static final int PLACES_MAX = 100;

    /** Reads a stream. */
    public static VolumeCheck of(StreamStore store, StreamStatus stream) {
        ToLongFunction<RecordView> counting = counting(stream.settings().kind());
        RecordView record = new RecordView();
        List<String> places = new ArrayList<>();
        long records = 0;
        long items = 0;
        long bytes = 0;
        long missing = 0;
        long expected = stream.oldest();
        try (StreamReader reader = store.reader();
                StreamCursor cursor = reader.cursor(stream.stream(), Long.MIN_VALUE)) {
            boolean isThere = true;
            while (isThere) {
                try {
                    isThere = cursor.next(record);
                    if (isThere) {
                        missing += Math.max(0, record.number() - expected);
                        expected = record.number() + 1;
                        records++;
                        bytes += record.buffer().capacity();
                        items += counting.applyAsLong(record);
                    }
                } catch (ChimeraException e) {
                    note(places, String.valueOf(e.getMessage()));
                }
            }
        }
        missing += Math.max(0, stream.appended() + 1 - expected);
        if (missing > 0) {
            note(places, missing + " records of the retained range are missing");
        }
        return new VolumeCheck(stream, records, items, bytes, missing, places);
    }

    private static ToLongFunction<RecordView> counting(String kind) {
        return switch (kind) {
            case ArchiveStream.PACKETS -> {
                PacketInterval packets = new PacketInterval();
                yield record -> {
                    packets.wrap(record.buffer(), 0, record.buffer().capacity());
                    return count(packets::next);
                };
            }
            case ArchiveStream.POINTS -> {
                PointInterval points = new PointInterval();
                yield record -> {
                    points.wrap(record.buffer(), 0, record.buffer().capacity());
                    return count(points::next);
                };
            }
            default -> record -> 0;
        };
    }

    private static long count(BooleanSupplier next) {
        long count = 0;
        while (next.getAsBoolean()) {
            count++;
        }
        return count;
    }

    private static void note(List<String> places, String place) {
        if (places.size() < PLACES_MAX) {
            places.add(place);
        }
    }

    /** Whether damage was found. */
    public boolean isDamaged() {
        return !places.isEmpty();
    }
}
