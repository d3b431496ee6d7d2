package io.chimera.archive.distributed;

import io.chimera.archive.distributed.Parcel.Part;
import io.chimera.archive.distributed.Parcel.StreamGroup;
import java.util.HashMap;
import java.util.Map;

/** Index data held by an index node for a span of an archive node. Guarded by the index node. */
final class HeldSpan {
    /** Memory of objects and maps in addition to the groups. */
    private static final int BYTES_BESIDE = 240;

    private final Map<Place, StreamGroup> groups = new HashMap<>();
    private boolean isWhole;
    private long bytes = BYTES_BESIDE;

    private record Place(String stream, long firstNumber) {}

    /** Adds a part; repeated groups are stored once. */
    void add(Part part) {
        for (StreamGroup group : part.groups()) {
            Place place = new Place(group.stream(), group.summary().group().firstNumber());
            StreamGroup before = groups.put(place, group);
            bytes += group.summary().bytes()
                    - (before == null ? 0 : before.summary().bytes());
        }
        isWhole |= part.isLast();
    }

    /** Returns true if all groups of the archive node with possible data of the span are held. */
    boolean isWhole() {
        return isWhole;
    }

    Iterable<StreamGroup> groups() {
        return groups.values();
    }

    int size() {
        return groups.size();
    }

    /** Returns the approximate memory use in bytes. */
    long bytes() {
        return bytes;
    }
}
