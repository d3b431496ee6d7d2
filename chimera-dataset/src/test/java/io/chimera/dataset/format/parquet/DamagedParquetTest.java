package io.chimera.dataset.format.parquet;

import static io.chimera.dataset.format.parquet.ParquetRows.MAPPING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.FormatException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each defect leads to an exception that names the object and the defect, and to no large allocation. */
final class DamagedParquetTest {
    private static final byte[] PLAIN = ParquetObject.resource("plain-v1");

    @Test
    void refusesOtherContent() {
        fails("too short", new byte[] {'P', 'A', 'R', '1'});
        fails("PAR1", new byte[1000]);
        fails("PAR1", Arrays.copyOf(PLAIN, PLAIN.length - 1));
        byte[] encrypted = PLAIN.clone();
        encrypted[encrypted.length - 1] = 'E';
        fails("encrypted", encrypted);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 10_470})
    void refusesALengthOfTheFooterBeyondTheObject(int length) {
        byte[] content = PLAIN.clone();
        ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).putInt(content.length - 8, length);

        fails("footer", content);
    }

    @Test
    void refusesAFooterThatIsNotThrift() {
        byte[] deep = new byte[1 << 20];
        Arrays.fill(deep, (byte) 0x1C); // a struct in a struct in a struct …
        byte[] lists = new byte[1 << 20];
        Arrays.fill(lists, (byte) 0x19); // a list of lists of lists …
        byte[] zeros = new byte[100];
        // Field 2, a list of structs that declares two billion elements.
        byte[] longList = {0x29, (byte) 0xFC, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x07, 0};

        for (byte[] footer : new byte[][] {deep, lists, zeros, longList}) {
            fails("", WithFooter.raw(new byte[100], footer));
        }
    }

    @Test
    void refusesChunksThatAreNotInTheObject() throws IOException {
        failsWithChunk("offset", data -> data.setData_page_offset(1L << 40));
        failsWithChunk("offset", data -> data.setData_page_offset(-5));
        failsWithChunk("offset", data -> data.setTotal_compressed_size(Long.MAX_VALUE));
        failsWithChunk("offset", data -> data.setTotal_compressed_size(-1));
        failsWithChunk("offset", data -> data.setTotal_compressed_size(0));
        failsWithChunk("type", data -> data.setType(Type.DOUBLE));
        failsWithFooter(
                "another object",
                footer -> footer.getRow_groups().get(0).getColumns().get(0).setFile_path("other.parquet"));
    }

    @Test
    void refusesChunksThatAreShorterThanTheirPages() throws IOException {
        failsWithChunk("chunk", data -> data.setTotal_compressed_size(data.getTotal_compressed_size() - 1));
        failsWithChunk("header", data -> data.setTotal_compressed_size(5));
    }

    @Test
    void refusesAContradictoryFooter() throws IOException {
        failsWithFooter(
                "rows are missing", footer -> footer.getRow_groups().get(0).setNum_rows(151));
        failsWithFooter("150 values", footer -> footer.getRow_groups().get(0).setNum_rows(149));
        failsWithFooter("rows", footer -> footer.getRow_groups().get(0).setNum_rows(-1));
        failsWithFooter(
                "column chunks",
                footer -> footer.getRow_groups().get(0).getColumns().remove(7));
        failsWithFooter("schema", footer -> footer.getSchema().remove(8));
        failsWithFooter("schema", footer -> footer.getSchema().get(0).setNum_children(Integer.MAX_VALUE));
        failsWithFooter("struct", footer -> footer.getSchema().get(0).setNum_children(-1));
        failsWithFooter(
                "first page",
                footer -> footer.addToRow_groups(footer.getRow_groups().get(0).deepCopy()));
        failsWithFooter("two columns", footer -> footer.getSchema().get(2).setName("time"));
    }

    /** Pages of runs may declare any number of rows, so that their number is no proof. */
    @Test
    void refusesFarMoreRowsThanBytes() throws IOException {
        failsWithFooter("rows per byte", footer -> footer.getRow_groups().get(0).setNum_rows(2_000_000_000));
        failsWithFooter("rows per byte", footer -> {
            RowGroup first = footer.getRow_groups().get(0);
            first.setNum_rows(1 << 20);
            for (int i = 1; i < 100; i++) { // overlapping chunks
                RowGroup more = first.deepCopy();
                for (ColumnChunk chunk : more.getColumns()) {
                    ColumnMetaData data = chunk.getMeta_data();
                    data.setData_page_offset(data.getData_page_offset() + i);
                    data.setTotal_compressed_size(1);
                }
                footer.addToRow_groups(more);
            }
        });
    }

    @Test
    void namesTheCodecThatItCannotRead() {
        fails("BROTLI", ParquetObject.resource("brotli"));
        fails("zstd, snappy", ParquetObject.resource("brotli"));
    }

    @Test
    void doesNotAllocateThePageThatAHeaderDeclares() throws IOException {
        // Three pages of one chunk: the first is within the limit, and the snappy below is not as long as declared.
        failsOnPage("snappy", 100_000_000, 150, "SNAPPY");
        failsOnPage("snappy", Integer.MAX_VALUE, 150, "256 MiB");
        failsOnPage("snappy", -1, 150, "declares");
        failsOnPage("uncompressed", 100_000_000, 150, "declares 100000000");
        failsOnPage("uncompressed", 20, Integer.MAX_VALUE, "rows left");
        failsOnPage("uncompressed", 20, -1, "rows left");
    }

    @Test
    void refusesAWrongChecksum() {
        byte[] content = ParquetObject.resource("pages-checksum");
        int text = new String(content, StandardCharsets.ISO_8859_1).indexOf("note 2 of 2");
        content[text]++;

        fails("checksum", content);
    }

    @Test
    void namesPlaceAndRemedy() {
        byte[] content = ParquetObject.resource("pages-checksum");
        int text = new String(content, StandardCharsets.ISO_8859_1).indexOf("note 2 of 2");
        content[text]++;

        assertThatThrownBy(() -> ParquetRows.readAll(new ParquetObject(content), MAPPING))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("year/points.parquet, row group 0, column note, page at offset ")
                .hasMessageContaining("copy it again");
    }

    @Test
    void rowsBeforeTheDamageAreValid() throws IOException {
        byte[] content = ParquetObject.resource("groups-snappy");
        long middle = new ParquetFormat(MAPPING)
                .splits(new ParquetObject(content), 1)
                .get(7)
                .from();
        Arrays.fill(content, (int) middle, (int) middle + 50, (byte) 0xFF);
        ParquetObject object = new ParquetObject(content);
        PointLines sink = new PointLines();
        try (var reader = new ParquetFormat(MAPPING).open(object, new ByteRange(0, object.length()))) {
            assertThatThrownBy(() -> {
                        while (reader.read(sink)) {}
                    })
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining("row group 7");
        }

        assertThat(sink.lines).containsExactlyElementsOf(ParquetRows.lines().subList(0, 69));
    }

    /** Replaces the chunk of the column {@code count} by one page. */
    private static void failsOnPage(String codec, int declaredBytes, int values, String keyWord) throws IOException {
        PageHeader header = new PageHeader(PageType.DATA_PAGE, declaredBytes, 20);
        header.setData_page_header(new DataPageHeader(values, Encoding.PLAIN, Encoding.RLE, Encoding.RLE));
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        Util.writePageHeader(header, page);
        page.write(new byte[] {20, 76});
        page.write(new byte[18]);
        byte[] content = WithFooter.changed(PLAIN, footer -> {
            ColumnMetaData data =
                    footer.getRow_groups().get(0).getColumns().get(4).getMeta_data();
            data.setTotal_compressed_size(page.size());
            data.setCodec(codec.equals("snappy") ? CompressionCodec.SNAPPY : CompressionCodec.UNCOMPRESSED);
        });
        int[] offset = new int[1];
        WithFooter.changed(
                PLAIN,
                footer -> offset[0] = (int) footer.getRow_groups()
                        .get(0)
                        .getColumns()
                        .get(4)
                        .getMeta_data()
                        .getData_page_offset());
        System.arraycopy(page.toByteArray(), 0, content, offset[0], page.size());
        fails(keyWord, content);
    }

    private static void failsWithChunk(String keyWord, Consumer<ColumnMetaData> change) throws IOException {
        failsWithFooter(
                keyWord,
                footer -> change.accept(
                        footer.getRow_groups().get(0).getColumns().get(0).getMeta_data()));
    }

    private static void failsWithFooter(String keyWord, Consumer<FileMetaData> change) throws IOException {
        fails(keyWord, WithFooter.changed(PLAIN, change));
    }

    private static void fails(String keyWord, byte[] content) {
        assertThatThrownBy(() -> ParquetRows.readAll(new ParquetObject(content), MAPPING))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("year/points.parquet")
                .hasMessageContaining(keyWord);
    }
}
