package io.chimera.dataset.format.parquet;

import io.chimera.api.spi.PointSink;
import io.chimera.dataset.format.EventReader;
import io.chimera.dataset.format.ObjectBytes;
import java.io.IOException;
import java.util.List;

/** Reads the rows of a split: row group by row group, and each one in batches. One thread. */
final class ParquetReader implements EventReader {
    /** Rows of a batch: the values of a column stay in the first-level cache. */
    static final int BATCH_ROWS = 1024;

    private final ObjectBytes object;
    private final List<RowGroupPlace> groups;
    private final MappedColumns columns;
    private final ReaderSlots slots;

    private int nextGroup;
    private long rowsLeft;

    /** The batch: its rows, the next row, and the number of the first row in the object, from 1. */
    private int batchRows;

    private int row;
    private long batchLine;

    /** Set while a batch is read: after an exception the columns may be at different rows. */
    private boolean isBetweenRows;

    private boolean isClosed;

    /**
     * Creates a reader before the first row.
     *
     * @param object the object
     * @param groups row groups of the split
     * @param columns the mapped columns
     * @param slots gets the slot of this reader back
     */
    ParquetReader(ObjectBytes object, List<RowGroupPlace> groups, MappedColumns columns, ReaderSlots slots) {
        this.object = object;
        this.groups = groups;
        this.columns = columns;
        this.slots = slots;
    }

    @Override
    public boolean read(PointSink sink) throws IOException {
        if (row == batchRows && !nextBatch()) {
            return false;
        }
        while (row < batchRows && columns.rows().send(sink, row, batchLine + row)) {
            row++;
        }
        return true;
    }

    private boolean nextBatch() throws IOException {
        if (isBetweenRows) {
            throw new IllegalStateException("read of " + object.path() + " after an exception; open the split again");
        }
        isBetweenRows = true;
        try {
            batchLine += batchRows;
            batchRows = 0;
            row = 0;
            if (rowsLeft == 0) {
                if (nextGroup == groups.size()) {
                    isBetweenRows = false;
                    return false;
                }
                RowGroupPlace group = groups.get(nextGroup++);
                rowsLeft = group.rows();
                batchLine = group.firstRow() + 1;
                columns.open(group);
            }
            batchRows = columns.read(rowsLeft);
            rowsLeft -= batchRows;
            isBetweenRows = false;
            return true;
        } catch (ParquetDefect e) {
            int number = groups.get(nextGroup - 1).number();
            throw e.at(object.path() + ", row group " + number + ", " + columns.place());
        }
    }

    /** Gives the slot back; buffers and decoders are on the heap. */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            slots.giveBack();
        }
    }
}
