package io.chimera.dataset.format.parquet;

import static io.chimera.dataset.format.parquet.ParquetRows.MAPPING;
import static io.chimera.dataset.format.parquet.ParquetRows.columns;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.EventReader;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.ObjectBytes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ParquetFormatTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain-v1",
                "dictionary-snappy-v1",
                "dictionary-zstd-v2",
                "plain-gzip-v2",
                "plain-lz4-raw-v1",
                "delta-v1",
                "delta-zstd-v2",
                "split-v1",
                "groups-snappy",
                "pages-checksum",
                "polars",
                "duckdb-v1",
                "duckdb-v2"
            })
    void readsTheRowsOfEachWriterEncodingAndCodec(String file) throws IOException {
        PointLines points = ParquetRows.readAll(new ParquetObject(ParquetObject.resource(file)), MAPPING);

        assertThat(points.lines).containsExactlyElementsOf(ParquetRows.lines());
        assertThat(points.rejected)
                .containsExactly(
                        "50: the time is null (year/points.parquet row 50)",
                        "100: the time is null (year/points.parquet row 100)",
                        "150: the time is null (year/points.parquet row 150)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain-v1", "groups-snappy", "pages-checksum", "polars"})
    void splitsOfAnyLengthGiveEachRowOnceInOrder(String file) throws IOException {
        byte[] content = ParquetObject.resource(file);
        for (long target = 1; target < content.length * 2L; target += 1 + target / 3) {
            ParquetObject object = new ParquetObject(content);
            List<String> lines = new ArrayList<>();
            long end = 0;
            List<ByteRange> ranges = new ParquetFormat(MAPPING).splits(object, target);
            for (ByteRange range : ranges) {
                assertThat(range.from()).isEqualTo(end);
                end = range.to();
                lines.addAll(ParquetRows.read(object, MAPPING, range).lines);
            }
            assertThat(end).isEqualTo(content.length);
            assertThat(lines).as("target length %d", target).containsExactlyElementsOf(ParquetRows.lines());
        }
    }

    @Test
    void joinsSmallRowGroups() throws IOException {
        ParquetObject object = new ParquetObject(ParquetObject.resource("groups-snappy"));
        ParquetFormat format = new ParquetFormat(MAPPING);

        assertThat(format.splits(object, 1)).hasSize(15);
        assertThat(format.splits(object, Long.MAX_VALUE)).containsExactly(new ByteRange(0, object.length()));
        List<ByteRange> joined = format.splits(object, 4_000);
        assertThat(joined).hasSizeBetween(3, 8);
        assertThat(joined.subList(0, joined.size() - 1)).allMatch(range -> range.length() <= 4_000);
    }

    @Test
    void eachSplitIsReadWithoutTheOthersBackwards() throws IOException {
        ParquetObject object = new ParquetObject(ParquetObject.resource("groups-snappy"));
        List<ByteRange> ranges = new ParquetFormat(MAPPING).splits(object, 1);

        PointLines last = ParquetRows.read(object, MAPPING, ranges.get(14));

        assertThat(last.lines).containsExactlyElementsOf(ParquetRows.lines().subList(138, 147));
        assertThat(last.rejected).singleElement().asString().startsWith("150:");
    }

    @Test
    void readsTheFooterInOneReadAndEachMappedChunkInOne() throws IOException {
        ParquetObject object = new ParquetObject(ParquetObject.resource("plain-v1"));
        ParquetMapping mapping = new ParquetMapping("m", null, "time", null, List.of(), columns("small"));

        EventReader reader = new ParquetFormat(mapping).open(object, new ByteRange(0, object.length()));
        assertThat(object.reads).hasSize(1);
        object.reads.clear();
        PointLines points = new PointLines();
        while (reader.read(points)) {}

        assertThat(points.lines).isNotEmpty();
        assertThat(object.reads).hasSize(2);
        // 147 times of 8 bytes and 112 integers of 4 bytes with levels and headers.
        assertThat(object.bytesRead()).isBetween(147 * 8L + 112 * 4, 147 * 8L + 112 * 4 + 300);
    }

    @Test
    void readsALongFooterInTwoReads() throws IOException {
        byte[] content = ParquetObject.resource("groups-snappy");
        byte[] padded = WithFooter.padded(content, 100_000);
        ParquetObject object = new ParquetObject(padded);

        new ParquetFormat(MAPPING).splits(object, 1);

        assertThat(object.reads).hasSize(2);
        assertThat(object.bytesRead()).isBetween(100_000L, 120_000L);
        assertThat(ParquetRows.readAll(object, MAPPING).lines).containsExactlyElementsOf(ParquetRows.lines());
    }

    @Test
    void acceptsShortReads() throws IOException {
        ParquetObject object = new ParquetObject(ParquetObject.resource("dictionary-snappy-v1"), 7);

        assertThat(ParquetRows.readAll(object, MAPPING).lines).containsExactlyElementsOf(ParquetRows.lines());
    }

    @Test
    void goesOnWhereTheSinkHadNoRoom() throws IOException {
        ParquetObject object = new ParquetObject(ParquetObject.resource("pages-checksum"));
        PointLines sink = new PointLines();
        try (EventReader reader = new ParquetFormat(MAPPING).open(object, new ByteRange(0, object.length()))) {
            do {
                sink.room(3);
            } while (reader.read(sink));
        }

        assertThat(sink.lines).containsExactlyElementsOf(ParquetRows.lines());
    }

    @Test
    void readsTheMetricOfAColumn() throws IOException {
        ParquetMapping mapping = new ParquetMapping(null, "host", "time", null, columns("region"), columns("count"));

        PointLines points = ParquetRows.readAll(new ParquetObject(ParquetObject.resource("polars")), mapping);

        assertThat(points.lines.get(0)).startsWith("host-0,region=de count=");
        assertThat(points.rejected).contains("4: the metric is null (year/points.parquet row 4)");
    }

    @Test
    void rejectsARowWithoutFields() throws IOException {
        ParquetMapping mapping = new ParquetMapping("m", null, "time", null, List.of(), columns("value", "note"));

        PointLines points = ParquetRows.readAll(new ParquetObject(ParquetObject.resource("delta-v1")), mapping);

        assertThat(points.rejected).anyMatch(reject -> reject.startsWith("18: all fields are null"));
        assertThat(points.lines).hasSize(147 - 2);
    }

    @Test
    void readsNothingAfterAnException() throws IOException {
        ParquetObject content = new ParquetObject(ParquetObject.resource("plain-v1"));
        FailingOnce object = new FailingOnce(content);
        try (EventReader reader = new ParquetFormat(MAPPING).open(object, new ByteRange(0, content.length()))) {
            object.failsAt = 3;

            assertThatThrownBy(() -> reader.read(new PointLines())).hasMessage("no bytes");
            assertThatThrownBy(() -> reader.read(new PointLines())).isInstanceOf(IllegalStateException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dictionary-snappy-v1", "delta-zstd-v2", "pages-checksum"})
    void readsWithTheLeastMemory(String file) throws IOException {
        ParquetObject object = new ParquetObject(ParquetObject.resource(file));
        PointLines sink = new PointLines();
        try (EventReader reader = new ParquetFormat(MAPPING, 1 << 20).open(object, new ByteRange(0, object.length()))) {
            while (reader.read(sink)) {}
        }

        assertThat(sink.lines).containsExactlyElementsOf(ParquetRows.lines());
    }

    @Test
    void refusesATypeBeforeTheSplitsAreGivenToWorkers() {
        ParquetMapping mapping = new ParquetMapping("m", null, "time", null, columns("count"), columns("value"));

        assertThatThrownBy(() ->
                        new ParquetFormat(mapping).splits(new ParquetObject(ParquetObject.resource("plain-v1")), 1))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("column count");
    }

    @Test
    void refusesLittleMemory() {
        assertThatThrownBy(() -> new ParquetFormat(MAPPING, 1000)).isInstanceOf(IllegalArgumentException.class);
    }

    /** An object whose source fails at one read. */
    private static final class FailingOnce implements ObjectBytes {
        private final ParquetObject object;
        private int failsAt = -1;

        FailingOnce(ParquetObject object) {
            this.object = object;
        }

        @Override
        public String path() {
            return object.path();
        }

        @Override
        public long length() {
            return object.length();
        }

        @Override
        public int read(long offset, ByteBuffer into) throws IOException {
            if (failsAt-- == 0) {
                throw new IOException("no bytes");
            }
            return object.read(offset, into);
        }
    }

    @Test
    void splitsOfAnObjectShareItsFooter() throws IOException {
        byte[] content = ParquetObject.resource("plain-v1");
        ParquetFormat format = new ParquetFormat(MAPPING);
        ParquetObject first = new ParquetObject(content, "version 1");
        List<ByteRange> ranges = format.splits(first, 1);
        ParquetObject second = new ParquetObject(content, "version 1");
        ParquetObject changed = new ParquetObject(content, "version 2");

        format.open(second, ranges.get(0)).close();
        format.open(changed, ranges.get(0)).close();

        assertThat(first.reads).hasSize(1);
        assertThat(second.reads).isEmpty();
        assertThat(changed.reads).hasSize(1);
    }

    @Test
    void aReaderTakesASlotUntilItIsClosed() throws IOException {
        ParquetObject object = new ParquetObject(ParquetObject.resource("plain-v1"));
        ReaderSlots slots = ReaderSlots.within(2 * ParquetFormat.MEMORY_BYTES_DEFAULT);
        ParquetFormat format = new ParquetFormat(MAPPING, slots);
        ByteRange whole = new ByteRange(0, object.length());

        EventReader reader = format.open(object, whole);
        format.open(object, whole);
        assertThat(slots.free()).isZero();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> format.open(object, whole)).isInstanceOf(InterruptedIOException.class);
        assertThat(Thread.interrupted()).isTrue();
        reader.close();
        reader.close();

        assertThat(slots.free()).isEqualTo(1);
        assertThat(ReaderSlots.within(1).free())
                .as("one reader always has a slot")
                .isEqualTo(1);
    }
}
