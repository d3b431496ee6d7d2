package io.chimera.apps.archive;

import io.chimera.archive.query.PacketInterval;
import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.streamfs.RecordView;
import io.chimera.archive.streamfs.StreamCursor;
import io.chimera.archive.streamfs.StreamReader;
import io.chimera.archive.streamfs.StreamStatus;
import io.chimera.archive.streamfs.StreamStore;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads every record of a stream, and every packet in it. One thread.
 *
 * @param stream what was read
 * @param records that could be read
 * @param items packets in them
 * @param bytes of these records
 * @param missing records that should be held and were not there
 * @param places where it is damaged, in words
 */
public record VolumeCheck(
        StreamStatus stream, long records, long items, long bytes, long missing, List<String> places) {
    /** So many are told, and the others counted. */
    private static final int PLACES_MAX = 100;

    /** Reads a stream. */
    public static VolumeCheck of(StreamStore store, StreamStatus stream) {
        boolean isPackets = stream.settings().kind().equals(ArchiveStream.KIND);
        RecordView record = new RecordView();
        PacketInterval interval = new PacketInterval();
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
                        items += isPackets ? packets(interval, record) : 0;
                    }
                } catch (ChimeraException e) {
                    note(places, e.getMessage());
                }
            }
        }
        missing += Math.max(0, stream.appended() + 1 - expected);
        if (missing > 0) {
            note(places, missing + " records that should be held are not there");
        }
        return new VolumeCheck(stream, records, items, bytes, missing, places);
    }

    private static long packets(PacketInterval interval, RecordView record) {
        interval.wrap(record.buffer(), 0, record.buffer().capacity());
        long packets = 0;
        while (interval.next()) {
            packets++;
        }
        return packets;
    }

    private static void note(List<String> places, String place) {
        if (places.size() < PLACES_MAX) {
            places.add(place);
        }
    }

    /** Whether something is wrong. */
    public boolean isDamaged() {
        return !places.isEmpty();
    }
}
