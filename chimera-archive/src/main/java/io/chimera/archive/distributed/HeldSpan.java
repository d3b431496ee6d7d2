package io.chimera.archive.distributed;

import io.chimera.archive.distributed.Parcel.Part;
import io.chimera.archive.distributed.Parcel.StreamGroup;
import java.util.HashMap;
import java.util.Map;

/** What an index node holds of one member for one span. Guarded by the index node. */
final class HeldSpan {
    private final Map<Place, StreamGroup> groups = new HashMap<>();
    private boolean isWhole;
    private long bytes;

    private record Place(String stream, long firstNumber) {}

    /** Adds a part; what is added twice is held once. */
    void add(Part part) {
        for (StreamGroup group : part.groups()) {
            Place place = new Place(group.stream(), group.summary().group().firstNumber());
            StreamGroup before = groups.put(place, group);
            bytes += group.summary().bytes()
                    - (before == null ? 0 : before.summary().bytes());
        }
        isWhole |= part.isLast();
    }

    /** Whether these are all groups of the member that may hold something of the span. */
    boolean isWhole() {
        return isWhole;
    }

    Iterable<StreamGroup> groups() {
        return groups.values();
    }

    int size() {
        return groups.size();
    }

    long bytes() {
        return bytes;
    }
}
