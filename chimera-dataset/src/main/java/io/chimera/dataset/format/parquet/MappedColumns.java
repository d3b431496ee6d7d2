package io.chimera.dataset.format.parquet;

import io.chimera.api.model.FieldType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** All mapped columns of an object: reads the same rows of each. One thread. */
final class MappedColumns {
    private final ReaderResources resources;
    private final List<ColumnBatch> columns = new ArrayList<>();
    private final RowSender rows;
    private int current;

    /**
     * Creates the readers of the columns.
     *
     * @param leaves the columns in the order of {@link ParquetMapping#paths}
     * @throws ParquetDefect when a column has a type that its place in the mapping does not allow
     */
    MappedColumns(ReaderResources resources, ParquetMapping mapping, List<LeafColumn> leaves) {
        this.resources = resources;
        int next = 0;
        RowSender.Metric metric = mapping.metric() != null
                ? new RowSender.Metric(mapping.metric().getBytes(StandardCharsets.UTF_8), null)
                : new RowSender.Metric(new byte[0], text(leaves.get(next++), "as metric"));
        LeafColumn timeLeaf = leaves.get(next++);
        NumberColumn time = number(timeLeaf, ColumnTypes.timeOf(timeLeaf, mapping.timeUnit()));
        List<RowSender.Tag> tags = new ArrayList<>();
        for (ParquetColumn tag : mapping.tags()) {
            tags.add(
                    new RowSender.Tag(tag.name().getBytes(StandardCharsets.UTF_8), text(leaves.get(next++), "as tag")));
        }
        List<RowSender.NumberField> numbers = new ArrayList<>();
        List<RowSender.TextField> texts = new ArrayList<>();
        for (ParquetColumn field : mapping.fields()) {
            LeafColumn leaf = leaves.get(next++);
            byte[] name = field.name().getBytes(StandardCharsets.UTF_8);
            FieldType type = ColumnTypes.fieldTypeOf(leaf);
            if (type == FieldType.TEXT) {
                texts.add(new RowSender.TextField(name, text(leaf, "as field")));
            } else {
                numbers.add(new RowSender.NumberField(name, type.code(), number(leaf, ColumnTypes.fieldOf(leaf))));
            }
        }
        this.rows = new RowSender(resources.object().path(), metric, time, tags, numbers, texts);
    }

    private TextColumn text(LeafColumn leaf, String role) {
        ColumnTypes.requireText(leaf, role);
        TextColumn column = new TextColumn(resources, leaf);
        columns.add(column);
        return column;
    }

    private NumberColumn number(LeafColumn leaf, Conversion conversion) {
        NumberColumn column = new NumberColumn(resources, leaf, conversion);
        columns.add(column);
        return column;
    }

    /** Opens a row group: reads the begin of each chunk, in the order of the offsets. */
    void open(RowGroupPlace group) throws IOException {
        List<ChunkPlace> chunks = group.chunks();
        int[] order = IntStream.range(0, chunks.size())
                .boxed()
                .sorted(Comparator.comparingLong(i -> chunks.get(i).offset()))
                .mapToInt(Integer::intValue)
                .toArray();
        for (int i : order) {
            current = i;
            columns.get(i).open(chunks.get(i), group.rows());
        }
    }

    /**
     * Reads the next rows of each column: up to the end of the first page that ends, so that the values stay where the
     * pages are.
     *
     * @param rowsMax rows left in the row group, at least 1
     * @return number of rows read, at least 1
     */
    int read(long rowsMax) throws IOException {
        int count = (int) Math.min(rowsMax, ParquetReader.BATCH_ROWS);
        for (int i = 0; i < columns.size(); i++) {
            current = i;
            count = Math.min(count, columns.get(i).rowsAhead());
        }
        for (int i = 0; i < columns.size(); i++) {
            current = i;
            columns.get(i).read(count);
        }
        return count;
    }

    /** Returns the sender of the rows that were read. */
    RowSender rows() {
        return rows;
    }

    /** Returns the column and the page that were read last, for messages. */
    String place() {
        return columns.get(current).place();
    }
}
