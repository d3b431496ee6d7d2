package io.chimera.archive.distributed;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Rows of several nodes, each in its last version, up to the memory limit. Single-threaded. */
final class RowTable {
    /** Estimated heap bytes of a row without its names, and of a tag without its text. */
    private static final int ROW_BYTES = 250;

    private static final int TAG_BYTES = 150;

    private final Map<RowId, Found> rows = new HashMap<>();
    private final long bytesMax;
    private long bytes;

    /** Identity of a row. */
    private record RowId(String stream, String metric, Tags tags, long timeMs, boolean isLong) {}

    /**
     * Row of a node.
     *
     * @param stream stream of the row
     * @param node node of the stream
     * @param writtenNs write time of the row, ns since 1970
     * @param isMet true if the row belongs to the answer, provided this version is the last
     */
    record Found(Row row, String stream, String node, long writtenNs, boolean isMet) {}

    /**
     * Creates an empty table.
     *
     * @param bytesMax memory limit
     */
    RowTable(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Adds a row, unless the table holds a later version. Among versions with equal write times, the first stays. */
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

    /** Returns true if the memory limit is reached. */
    boolean isFull() {
        return bytes >= bytesMax;
    }

    /** Returns the median time of the rows, in ms since 1970; empty for an empty table. */
    OptionalLong middleMs() {
        long[] times = rows.keySet().stream().mapToLong(RowId::timeMs).sorted().toArray();
        return times.length == 0 ? OptionalLong.empty() : OptionalLong.of(times[times.length / 2]);
    }

    /** Returns the rows of the answer, ordered by time. */
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
