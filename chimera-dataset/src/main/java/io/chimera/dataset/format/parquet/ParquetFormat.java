package io.chimera.dataset.format.parquet;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.format.EventReader;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.ObjectBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Parquet objects: each row is an event, and a split is one or more whole row groups. A split begins at the first page
 * of its first row group; the first split begins at 0, and the last one ends with the object. Codecs: uncompressed,
 * snappy, gzip, zstd and lz4_raw. Any thread.
 *
 * <p>{@link #splits} and {@link #open} read the footer, mostly in one read, and share it. A reader then reads each
 * chunk of a mapped column in one read, or in several large ones when the chunks are larger than its memory allows; it
 * reads nothing of other columns.
 */
public final class ParquetFormat implements EventFormat {
    /** Memory of a reader by default: enough for 16 columns with windows, pages and dictionaries of 4 MiB each. */
    public static final long MEMORY_BYTES_DEFAULT = 256L << 20;

    private final ParquetMapping mapping;
    private final long memoryBytes;
    private final ReaderSlots slots;
    private final SharedFooters footers;

    /**
     * Creates a format whose readers use at most {@link #MEMORY_BYTES_DEFAULT} each.
     *
     * @param mapping columns that make up a data point
     */
    public ParquetFormat(ParquetMapping mapping) {
        this(mapping, MEMORY_BYTES_DEFAULT);
    }

    /**
     * Creates a format whose readers use at most {@link #MEMORY_BYTES_DEFAULT} each, and wait for each other.
     *
     * @param mapping columns that make up a data point
     * @param slots bound of the readers; {@link #open} waits for a slot
     */
    public ParquetFormat(ParquetMapping mapping, ReaderSlots slots) {
        this(mapping, MEMORY_BYTES_DEFAULT, slots);
    }

    /**
     * Creates a format.
     *
     * @param mapping columns that make up a data point
     * @param memoryBytes limit of the buffers of one reader in bytes, at least 1 MiB; a quarter is for the bytes as
     *     stored, divided by the number of columns, and a column chunk within its part is read at once. The footer, at
     *     most 64 MiB, is in memory while the object is opened and does not count
     */
    public ParquetFormat(ParquetMapping mapping, long memoryBytes) {
        this(mapping, memoryBytes, ReaderSlots.unlimited());
    }

    private ParquetFormat(ParquetMapping mapping, long memoryBytes, ReaderSlots slots) {
        if (memoryBytes < 1 << 20) {
            throw new IllegalArgumentException("memory of " + memoryBytes + " bytes; expected at least 1 MiB");
        }
        this.mapping = mapping;
        this.memoryBytes = memoryBytes;
        this.slots = slots;
        footers = new SharedFooters(mapping.paths());
    }

    @Override
    public List<ByteRange> splits(ObjectBytes object, long targetLength) throws IOException {
        ParquetFooter footer = footer(object);
        // A column whose type is refused fails here, before the splits are given to workers.
        columns(object, footer);
        List<RowGroupPlace> groups = footer.rowGroups();
        List<ByteRange> ranges = new ArrayList<>();
        long from = 0;
        for (int i = 1; i < groups.size(); i++) {
            long end = i + 1 < groups.size() ? groups.get(i + 1).start() : object.length();
            if (end - from > targetLength) {
                ranges.add(new ByteRange(from, groups.get(i).start()));
                from = groups.get(i).start();
            }
        }
        ranges.add(new ByteRange(from, object.length()));
        return ranges;
    }

    @Override
    public EventReader open(ObjectBytes object, ByteRange range) throws IOException {
        ParquetFooter footer = footer(object);
        List<RowGroupPlace> groups = footer.rowGroups().stream()
                .filter(group -> group.start() >= range.from() && group.start() < range.to())
                .toList();
        MappedColumns columns = columns(object, footer);
        slots.take();
        return new ParquetReader(object, groups, columns, slots);
    }

    /** {@inheritDoc} The footer names the borders. */
    @Override
    public boolean hasIndependentSplits(String path) {
        return true;
    }

    private ParquetFooter footer(ObjectBytes object) throws IOException {
        try {
            return footers.of(object);
        } catch (ParquetDefect e) {
            throw e.at(object.path());
        }
    }

    private MappedColumns columns(ObjectBytes object, ParquetFooter footer) throws FormatException {
        List<LeafColumn> columns = footer.columns();
        try {
            return new MappedColumns(ReaderResources.of(object, memoryBytes, columns.size()), mapping, columns);
        } catch (ParquetDefect e) {
            throw e.at(object.path());
        }
    }
}
