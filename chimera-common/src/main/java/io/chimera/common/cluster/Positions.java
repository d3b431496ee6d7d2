package io.chimera.common.cluster;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.agrona.collections.LongLongConsumer;

/**
 * A sequence number for each of some streams: a cut, a low-water mark, or the bases of a journal. Immutable.
 *
 * <p>A stream without an entry is at position 0, before its first record. Stored forms contain every entry, including
 * entries of 0, in the order of the signed stream ids; equality compares entries.
 */
public final class Positions {
    /** Positions without any stream. */
    public static final Positions NONE = new Positions(new long[0], new long[0]);

    private final long[] streams; // ascending
    private final long[] seqs;

    private Positions(long[] streams, long[] seqs) {
        this.streams = streams;
        this.seqs = seqs;
    }

    /** Creates the position of one stream. */
    public static Positions of(long stream, long seq) {
        return new Positions(new long[] {stream}, new long[] {seq});
    }

    /** Creates the positions of two different streams. */
    public static Positions of(long stream, long seq, long otherStream, long otherSeq) {
        return copyOf(Map.of(stream, seq, otherStream, otherSeq));
    }

    /** Creates positions with the entries of a map. */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Positions copyOf(Map<Long, Long> seqs) {
        Builder builder = builder();
        seqs.forEach(builder::put);
        return builder.build();
    }

    /** Creates a builder without entries. */
    public static Builder builder() {
        return new Builder();
    }

    /** Creates a builder with these entries. */
    public Builder toBuilder() {
        Builder builder = builder();
        forEach(builder::put);
        return builder;
    }

    /** Returns the position of a stream; 0 without an entry. */
    public long at(long stream) {
        int index = Arrays.binarySearch(streams, stream);
        return index < 0 ? 0 : seqs[index];
    }

    /** Returns whether the stream has an entry, possibly of 0. */
    public boolean names(long stream) {
        return Arrays.binarySearch(streams, stream) >= 0;
    }

    /** Streams with an entry. */
    public SortedSet<Long> streams() {
        SortedSet<Long> named = new TreeSet<>();
        for (long stream : streams) {
            named.add(stream);
        }
        return named;
    }

    /** Number of entries. */
    public int size() {
        return streams.length;
    }

    /** Returns whether there is no entry. */
    public boolean isEmpty() {
        return streams.length == 0;
    }

    /** Passes each entry to the consumer, in the order of the streams. */
    public void forEach(LongLongConsumer consumer) {
        for (int i = 0; i < streams.length; i++) {
            consumer.accept(streams[i], seqs[i]);
        }
    }

    /** Returns whether all entries pass a test. */
    public boolean allMatch(EntryTest test) {
        for (int i = 0; i < streams.length; i++) {
            if (!test.test(streams[i], seqs[i])) {
                return false;
            }
        }
        return true;
    }

    /** Returns the entries of both, with the higher position of each stream. */
    public Positions max(Positions other) {
        Builder highest = toBuilder();
        other.forEach(highest::raise);
        return highest.build();
    }

    /** Returns whether no stream is behind its position in the other positions. */
    public boolean covers(Positions other) {
        return other.since(this).isEmpty();
    }

    /** Returns the non-empty ranges between other positions and these, in the order of the streams. */
    public List<StreamRange> since(Positions before) {
        List<StreamRange> ranges = new ArrayList<>();
        forEach((stream, seq) -> {
            long after = before.at(stream);
            if (seq > after) {
                ranges.add(new StreamRange(stream, after, seq));
            }
        });
        return ranges;
    }

    /** Returns the number of records between earlier positions and these. */
    public long recordsSince(Positions before) {
        long records = 0;
        for (int i = 0; i < streams.length; i++) {
            records += seqs[i] - before.at(streams[i]);
        }
        return records;
    }

    /** JSON form: decimal sequence numbers by decimal stream ids. */
    @JsonValue
    NavigableMap<Long, Long> toMap() {
        NavigableMap<Long, Long> map = new TreeMap<>();
        forEach(map::put);
        return map;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Positions positions
                && Arrays.equals(streams, positions.streams)
                && Arrays.equals(seqs, positions.seqs);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(streams) + Arrays.hashCode(seqs);
    }

    @Override
    public String toString() {
        return toMap().toString();
    }

    /** Test of an entry. */
    @FunctionalInterface
    public interface EntryTest {
        /** Tests the position of a stream. */
        boolean test(long stream, long seq);
    }

    /** Collects entries. */
    public static final class Builder {
        private final TreeMap<Long, Long> seqs = new TreeMap<>();

        private Builder() {}

        /** Sets the position of a stream. */
        public Builder put(long stream, long seq) {
            seqs.put(stream, seq);
            return this;
        }

        /** Raises the position of a stream; a lower position has no effect. */
        public Builder raise(long stream, long seq) {
            seqs.merge(stream, seq, Math::max);
            return this;
        }

        /** Creates the positions. */
        public Positions build() {
            if (seqs.isEmpty()) {
                return NONE;
            }
            return new Positions(
                    seqs.keySet().stream().mapToLong(Long::longValue).toArray(),
                    seqs.values().stream().mapToLong(Long::longValue).toArray());
        }
    }
}
