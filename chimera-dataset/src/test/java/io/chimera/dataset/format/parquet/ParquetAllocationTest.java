package io.chimera.dataset.format.parquet;

import static io.chimera.dataset.format.parquet.ParquetRows.MAPPING;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.spi.PointSink;
import io.chimera.common.metrics.AllocatedBytes;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.parquet.format.Encoding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decoding a page and sending its rows allocate nothing: no object per value, no text per row. */
final class ParquetAllocationTest {
    /** A page that a column reads again and again. */
    private record Page(Encoding encoding, Object bytes, int from, int end) {}

    @ParameterizedTest
    @CsvSource({
        "plain-v1, count", "delta-v1, count", "split-v1, count", "pages-checksum, count",
        "plain-v1, region", "delta-v1, region", "split-v1, region", "pages-checksum, region"
    })
    void decodesWithoutAllocation(String file, String name) throws IOException {
        StoredPage stored = new StoredPage(file, name);
        ColumnBatch column = name.equals("count") ? stored.number() : stored.text();
        PageTarget target = (PageTarget) column;
        AtomicReference<Page> page = new AtomicReference<>();
        int rows = stored.open(new PageTarget() {
            @Override
            public void dictionary(byte[] bytes, int from, int end, int count) {
                target.dictionary(bytes, from, end, count);
            }

            @Override
            public void page(Encoding encoding, byte[] bytes, int from, int end) {
                page.set(new Page(encoding, bytes, from, end));
            }
        });
        Page values = page.get();
        byte[] bytes = (byte[]) values.bytes();

        long allocated = AllocatedBytes.of(() -> {
            target.page(values.encoding(), bytes, values.from(), values.end());
            column.read(rows);
        });

        assertThat(rows).isPositive();
        assertThat(allocated).isZero();
    }

    @Test
    void sendsWithoutAllocation() throws IOException {
        ParquetObject object = new ParquetObject(ParquetObject.resource("dictionary-snappy-v1"));
        ParquetFooter footer = FooterReader.read(object, MAPPING.paths());
        ReaderResources resources = ReaderResources.of(object, StoredPage.MEMORY, 7);
        MappedColumns columns = new MappedColumns(resources, MAPPING, footer.columns());
        columns.open(footer.rowGroups().get(0));
        int rows = columns.read(49); // the fiftieth row is rejected
        PointSink sink = new SilentSink();

        long allocated = AllocatedBytes.of(() -> {
            for (int row = 0; row < rows; row++) {
                columns.rows().send(sink, row, row);
            }
        });

        assertThat(rows).isEqualTo(49);
        assertThat(allocated).isZero();
    }

    /** Accepts everything and keeps nothing. */
    private static final class SilentSink implements PointSink {
        private long seen;

        @Override
        public boolean begin(int textLength) {
            return true;
        }

        @Override
        public void metric(byte[] bytes, int offset, int length) {
            seen += length;
        }

        @Override
        public void tag(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
            seen += valueLength;
        }

        @Override
        public void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits) {
            seen += bits;
        }

        @Override
        public void textField(
                byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
            seen += valueLength;
        }

        @Override
        public void time(long timeNs) {
            seen += timeNs;
        }

        @Override
        public int end() {
            return OK;
        }

        @Override
        public void reject(byte[] bytes, int offset, int length, long line, String reason) {
            throw new AssertionError(reason + " after " + seen);
        }

        @Override
        public long arrivalTimeNs() {
            return 0;
        }
    }
}
