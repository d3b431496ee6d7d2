package io.chimera.dataset.format.parquet;

import io.chimera.dataset.format.ObjectBytes;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Footers of the objects that were opened last, so that the splits of an object share one read. Two threads that open
 * an object at the same time may both read its footer. Any thread.
 */
final class SharedFooters {
    /** Maximum number of footers: more than the objects that the workers of a job read at the same time. */
    private static final int FOOTERS_MAX = 64;

    /** Footers with more chunks are not kept: all footers together need at most some 64 MiB. */
    private static final int CHUNKS_MAX = 16_384;

    private final List<String> paths;

    /** Ordered by last use; guarded by this object. */
    private final Map<Object, ParquetFooter> footers = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * Creates an empty collection.
     *
     * @param paths paths of the mapped columns
     */
    SharedFooters(List<String> paths) {
        this.paths = paths;
    }

    /**
     * Returns the footer of an object, and reads it where necessary.
     *
     * @throws IOException when the object cannot be read
     * @throws ParquetDefect when the footer is damaged, or a column is missing or cannot be read
     */
    ParquetFooter of(ObjectBytes object) throws IOException {
        Object key = object.contentKey();
        ParquetFooter known = find(key);
        if (known != null) {
            return known;
        }
        ParquetFooter footer = FooterReader.read(object, paths);
        if (key != object && (long) footer.rowGroups().size() * footer.columns().size() <= CHUNKS_MAX) {
            keep(key, footer);
        }
        return footer;
    }

    private synchronized @Nullable ParquetFooter find(Object key) {
        return footers.get(key);
    }

    private synchronized void keep(Object key, ParquetFooter footer) {
        footers.put(key, footer);
        if (footers.size() > FOOTERS_MAX) {
            footers.remove(footers.keySet().iterator().next());
        }
    }
}
