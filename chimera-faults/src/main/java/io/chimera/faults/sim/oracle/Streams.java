package io.chimera.faults.sim.oracle;

import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.GroupKey;
import io.chimera.faults.sim.world.SimPoint;
import io.chimera.faults.sim.world.Violation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;

/** Content of each sequence number of each stream, as first written to a journal; the content must never change. */
final class Streams {
    private final List<SimPoint> points;
    private final Map<Long, List<Entry>> streams = new HashMap<>();
    private final List<Place> places = new ArrayList<>();
    private final BodyReader body = new BodyReader();
    private final GroupKey groupKey;
    private final GroupOracle groups;

    /** Place of a point. */
    record Place(long stream, long seq) {}

    /**
     * Content of a sequence number.
     *
     * @param point the point
     * @param seriesHash hash of the series key
     * @param groupHash hash of the key of the group in the pipeline "groups"
     * @param group journal group of the stream
     */
    record Entry(SimPoint point, long seriesHash, long groupHash, JournalGroup group) {}

    /**
     * Creates empty streams.
     *
     * @param points all points sent so far, by their identity; grows
     * @param group grouping tag of the pipeline "groups"
     * @param groups journal groups of the streams
     */
    Streams(List<SimPoint> points, String group, GroupOracle groups) {
        this.points = points;
        this.groups = groups;
        groupKey = GroupKey.by(List.of(group));
    }

    /** Records a batch appended to a journal. */
    void appended(DirectBuffer batch) {
        long stream = BatchLayout.stream(batch, 0);
        long seq = BatchLayout.firstSeq(batch, 0);
        List<Entry> entries = streams.computeIfAbsent(stream, key -> new ArrayList<>());
        body.wrapBatch(batch, 0);
        while (body.nextRecord()) {
            check(entries, stream, seq, (int) body.record().bits(0));
            seq++;
        }
    }

    private void check(List<Entry> entries, long stream, long seq, int id) {
        Violation.unless(
                seq <= entries.size() + 1L,
                "Content",
                () -> String.format("Stream %x continues at %d after %d.", stream, seq, entries.size()));
        if (seq <= entries.size()) {
            int known = entries.get((int) seq - 1).point().id();
            Violation.unless(
                    known == id,
                    "Content",
                    () -> String.format(
                            "Record %d of stream %x is both point %d and point %d.", seq, stream, known, id));
            return;
        }
        groupKey.of(body.seriesOfRecord());
        entries.add(
                new Entry(points.get(id), body.seriesOfRecord().keyHash(), groupKey.hash(), groups.ofStream(stream)));
        while (places.size() <= id) {
            places.add(null);
        }
        Place other = places.set(id, new Place(stream, seq));
        Violation.unless(
                other == null,
                "NoDouble",
                () -> String.format("Point %d was journaled twice: %s and %d.", id, other, seq));
    }

    /** Returns the place of a point; null when no journal ever appended the point. */
    Place placeOf(SimPoint point) {
        return point.id() < places.size() ? places.get(point.id()) : null;
    }

    /** Returns the records (after, upTo] of a stream. */
    List<Entry> entries(long stream, long after, long upTo) {
        List<Entry> entries = streams.getOrDefault(stream, List.of());
        Violation.unless(
                upTo <= entries.size(),
                "Content",
                () -> String.format("A cut contains record %d of stream %x, which was never written.", upTo, stream));
        return entries.subList((int) after, (int) upTo);
    }
}
