package io.chimera.dataset.format.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.api.spi.PointSink;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.EventReader;
import io.chimera.dataset.format.FormatException;
import java.io.IOException;
import java.util.List;

/** Any object gives points, or an exception that names the object. */
final class ParquetFuzz {
    private static final List<String> FILES = List.of(
            "plain-v1",
            "dictionary-snappy-v1",
            "dictionary-zstd-v2",
            "plain-gzip-v2",
            "plain-lz4-raw-v1",
            "delta-v1",
            "delta-zstd-v2",
            "split-v1",
            "duckdb-v2",
            "pages-checksum");
    private static final int CHANGES_MAX = 12;

    /** A damaged object may declare many rows; a run of nulls needs no bytes. */
    private static final int READS_MAX = 500;

    @FuzzTest(maxDuration = "1m")
    void readsOrRefusesAnyFooter(FuzzedDataProvider data) throws IOException {
        byte[] pages = data.consumeBytes(200);
        readsOrRefuses(WithFooter.raw(pages, data.consumeRemainingAsBytes()));
    }

    @FuzzTest(maxDuration = "3m")
    void readsOrRefusesChangedObjects(FuzzedDataProvider data) throws IOException {
        byte[] content = ParquetObject.resource(data.pickValue(FILES));
        int changes = data.consumeInt(1, CHANGES_MAX);
        for (int i = 0; i < changes; i++) {
            int at = data.consumeInt(0, content.length - 1);
            content[at] = data.consumeByte();
        }
        readsOrRefuses(content);
    }

    static void readsOrRefuses(byte[] content) throws IOException {
        ParquetObject object = new ParquetObject(content);
        ParquetFormat format = new ParquetFormat(ParquetRows.MAPPING);
        PointSink sink = new PointLines();
        try {
            long end = 0;
            for (ByteRange range : format.splits(object, 1000)) {
                assertThat(range.from()).isEqualTo(end);
                end = range.to();
                try (EventReader reader = format.open(object, range)) {
                    for (int reads = 0; reads < READS_MAX && reader.read(sink); reads++) {}
                }
            }
            assertThat(end).isEqualTo(content.length);
        } catch (FormatException e) {
            assertThat(e).hasMessageContaining(object.path());
        }
    }
}
