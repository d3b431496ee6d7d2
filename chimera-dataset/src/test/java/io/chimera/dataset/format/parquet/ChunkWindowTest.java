package io.chimera.dataset.format.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.format.ByteRange;
import java.io.IOException;
import java.util.List;
import org.apache.parquet.format.CompressionCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ChunkWindowTest {
    private static final long MEMORY = 1 << 20;

    private final byte[] content = new byte[100];
    private final ParquetObject object = new ParquetObject(content);

    @Test
    void readsASmallChunkAtOnce() throws IOException {
        ChunkWindow window = new ChunkWindow(resources(object, 1000));

        window.open(new ChunkPlace(10, 50, CompressionCodec.SNAPPY));

        assertThat(window.available()).isEqualTo(50);
        assertThat(window.left()).isEqualTo(50);
        assertThat(object.reads).containsExactly(new ByteRange(10, 60));
    }

    @Test
    void movesOverALargeChunk() throws IOException {
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) i;
        }
        ChunkWindow window = new ChunkWindow(resources(object, 20));
        window.open(new ChunkPlace(10, 90, CompressionCodec.SNAPPY));
        window.skip(15);
        window.require(10);

        assertThat(window.bytes()[window.position()]).isEqualTo((byte) 25);
        assertThat(window.offset()).isEqualTo(25);
        window.require(60);
        assertThat(window.bytes()[window.position() + 59]).isEqualTo((byte) 84);
        assertThat(object.reads).containsExactly(new ByteRange(10, 30), new ByteRange(30, 45), new ByteRange(45, 85));
        assertThatThrownBy(() -> window.require(76))
                .isInstanceOf(ParquetDefect.class)
                .hasMessageContaining("76");
    }

    @Test
    void refusesAnObjectThatEndsBefore() {
        ChunkWindow window = new ChunkWindow(resources(object, 20));

        assertThatThrownBy(() -> window.open(new ChunkPlace(100, 5, CompressionCodec.SNAPPY)))
                .isInstanceOf(ParquetDefect.class)
                .hasMessageContaining("ends at offset 100");
    }

    /** A window that is smaller than a page, than a header, and than both. */
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 30, 100, 1000})
    void aColumnIsTheSameThroughAnyWindow(int windowBytes) throws IOException {
        ParquetObject points = new ParquetObject(ParquetObject.resource("pages-checksum"));
        ParquetFooter footer = FooterReader.read(points, List.of("count"));
        NumberColumn column = new NumberColumn(
                resources(points, windowBytes), footer.columns().get(0), Conversion.NONE);
        int row = 0;
        for (RowGroupPlace group : footer.rowGroups()) {
            column.open(group.chunks().get(0), group.rows());
            long left = group.rows();
            while (left > 0) {
                int count = column.rowsAhead();
                column.read(count);
                for (int i = 0; i < count; i++, row++) {
                    assertThat(column.valueAt(i)).isEqualTo((long) row * row * 1_000_003 - 1_000_000_000);
                }
                left -= count;
            }
        }
        assertThat(row).isEqualTo(ParquetRows.ROWS);
    }

    private static ReaderResources resources(ParquetObject object, int windowBytes) {
        return new ReaderResources(object, new MemoryBudget(MEMORY), new PageCodec(), windowBytes);
    }
}
