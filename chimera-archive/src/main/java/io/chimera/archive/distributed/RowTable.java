package io.chimera.archive.distributed;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Rows of several nodes, each as it was written last, as many as memory is for. One thread. */
final class RowTable {
    /** Of a row beside its names, and of a tag beside its letters: objects of the heap. */
    private static final int ROW_BYTES = 250;

    private static final int TAG_BYTES = 150;

    private final Map<RowId, Found> rows = new HashMap<>();
    private final long bytesMax;
    private long bytes;

    /** What makes a row one. */
    private record RowId(String stream, String metric, Tags tags, long timeMs, boolean isLong) {}

    /**
     * A row of one node.
     *
     * @param stream that it is in
     * @param node whose stream that is
     * @param writtenNs when it was written, ns since 1970
     * @param isMet whether it belongs in the answer, if it is the last
     */
    record Found(Row row, String stream, String node, long writtenNs, boolean isMet) {}

    /**
     * None yet.
     *
     * @param bytesMax of memory that they may take
     */
    RowTable(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Adds a row, unless one that was written later is there. Of two of one moment the first stays. */
    void add(Found found) {
        Row row = found.row();
        RowId id = new RowId(found.stream(), row.metric(), row.tags(), row.timeMs(), row.isLong());
        Found before = rows.get(id);
        if (before == null) {
            bytes += ROW_BYTES + row.metric().length();
            row.tags().asMap().forEach((name, value) -> bytes += TAG_BYTES + name.length() + value.length());
        }
        if (before == null || before.writtenNs() < found.writtenNs()) {
            rows.put(id, found);
        }
    }

    /** Whether no more may be added. */
    boolean isFull() {
        return bytes >= bytesMax;
    }

    /** The time that half of these rows do not come after, in ms since 1970; empty without any. */
    OptionalLong middleMs() {
        long[] times = rows.keySet().stream().mapToLong(RowId::timeMs).sorted().toArray();
        return times.length == 0 ? OptionalLong.empty() : OptionalLong.of(times[times.length / 2]);
    }

    /** Those that belong in the answer, by time. */
    Iterator<Found> inOrder() {
        List<Found> all = rows.values().stream()
                .filter(Found::isMet)
                .sorted(Comparator.<Found>comparingLong(found -> found.row().timeMs())
                        .thenComparing(found -> found.row().metric())
                        .thenComparing(found -> found.row().tags().asMap().toString())
                        .thenComparing(Found::stream))
                .toList();
        return all.iterator();
    }
}
