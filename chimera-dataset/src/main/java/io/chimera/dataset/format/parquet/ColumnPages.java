package io.chimera.dataset.format.parquet;

import java.io.IOException;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageHeader;

/**
 * Iterates over the pages of a column chunk: reads the header, verifies the checksum if there is one, decompresses, and
 * reads which rows are null. One thread.
 */
final class ColumnPages {
    private static final byte[] NO_BYTES = new byte[0];

    private final ReaderResources resources;
    private final PageTarget target;
    private final int definitionMax;
    private final int levelWidth;
    private final ChunkWindow window;
    private final HybridDecoder levels = new HybridDecoder();
    private final int[] levelScratch = new int[ParquetReader.BATCH_ROWS];
    private final CRC32 crc = new CRC32();

    private CompressionCodec codec = CompressionCodec.UNCOMPRESSED;
    private long pageOffset;
    private long rowsAfterPage;
    private int rowsInPage;
    private byte[] decompressed = NO_BYTES;

    /** The page as decompressed, or as it lies in the window. */
    private byte[] page = NO_BYTES;

    private int pageFrom;
    private int pageEnd;

    /**
     * Creates the reader of a column.
     *
     * @param target receives the pages
     */
    ColumnPages(ReaderResources resources, LeafColumn column, PageTarget target) {
        this.resources = resources;
        this.target = target;
        this.definitionMax = column.definitionMax();
        this.levelWidth = Integer.SIZE - Integer.numberOfLeadingZeros(definitionMax);
        this.window = new ChunkWindow(resources);
    }

    /** Opens a chunk, and reads its first bytes. */
    void open(ChunkPlace chunk, long rows) throws IOException {
        codec = chunk.codec();
        pageOffset = chunk.offset();
        rowsAfterPage = rows;
        rowsInPage = 0;
        window.open(chunk);
    }

    /** Returns the offset of the current page in the object. */
    long pageOffset() {
        return pageOffset;
    }

    /** Returns the rows left in the current page, after it went on to the next page if there was none; at least 1. */
    int rowsAhead() throws IOException {
        while (rowsInPage == 0) {
            nextPage();
        }
        return rowsInPage;
    }

    /**
     * Reads which of the next rows have values.
     *
     * @param states receives {@link Conversion#PRESENT} or {@link Conversion#NULL}
     * @param count number of rows, at most {@link #rowsAhead}
     * @return number of rows with values
     */
    int readLevels(byte[] states, int count) {
        rowsInPage -= count;
        if (definitionMax == 0 || levels.skipRun(definitionMax, count)) {
            Arrays.fill(states, 0, count, Conversion.PRESENT);
            return count;
        }
        levels.read(levelScratch, count);
        int present = 0;
        for (int i = 0; i < count; i++) {
            int isPresent = levelScratch[i] == definitionMax ? 1 : 0;
            states[i] = (byte) isPresent;
            present += isPresent;
        }
        return present;
    }

    private void nextPage() throws IOException {
        pageOffset = window.offset();
        if (window.left() == 0) {
            throw new ParquetDefect("the pages of the column end, and " + rowsAfterPage + " rows are missing");
        }
        PageHeader header = PageHeaderReader.read(window);
        int length = header.getCompressed_page_size();
        if (length < 0 || header.getUncompressed_page_size() < 0) {
            throw new ParquetDefect("the page declares " + length + " bytes compressed and "
                    + header.getUncompressed_page_size() + " uncompressed");
        }
        window.require(length);
        int from = window.position();
        window.skip(length);
        if (header.isSetCrc()) {
            crc.reset();
            crc.update(window.bytes(), from, length);
            if ((int) crc.getValue() != header.getCrc()) {
                throw new ParquetDefect("the page does not have the checksum of its header");
            }
        }
        switch (header.getType()) {
            case DICTIONARY_PAGE -> dictionary(header, from);
            case DATA_PAGE -> dataPage(header, from);
            case DATA_PAGE_V2 -> dataPageV2(header, from);
            case INDEX_PAGE -> {}
        }
    }

    private void dictionary(PageHeader header, int from) {
        DictionaryPageHeader dictionary = header.getDictionary_page_header();
        if (dictionary == null) {
            throw noHeader(header);
        }
        if (dictionary.getEncoding() != Encoding.PLAIN && dictionary.getEncoding() != Encoding.PLAIN_DICTIONARY) {
            throw new ParquetDefect("a dictionary with the encoding " + dictionary.getEncoding());
        }
        decompress(from, header.getCompressed_page_size(), header.getUncompressed_page_size(), true);
        target.dictionary(page, pageFrom, pageEnd, dictionary.getNum_values());
    }

    private void dataPage(PageHeader header, int from) {
        DataPageHeader data = header.getData_page_header();
        if (data == null) {
            throw noHeader(header);
        }
        beginRows(data.getNum_values());
        decompress(from, header.getCompressed_page_size(), header.getUncompressed_page_size(), true);
        if (definitionMax > 0) {
            if (data.getDefinition_level_encoding() != Encoding.RLE) {
                throw new ParquetDefect(
                        "definition levels with the encoding " + data.getDefinition_level_encoding(),
                        "write the object with a current library");
            }
            int left = pageEnd - pageFrom - Integer.BYTES;
            int length = left < 0 ? -1 : LittleEndian.intAt(page, pageFrom);
            if (length < 0 || length > left) {
                throw new ParquetDefect("definition levels of " + length + " bytes, where the page has " + left);
            }
            pageFrom += Integer.BYTES + length;
            levels.open(page, pageFrom - length, pageFrom, levelWidth);
        }
        target.page(data.getEncoding(), page, pageFrom, pageEnd);
    }

    private void dataPageV2(PageHeader header, int from) {
        DataPageHeaderV2 data = header.getData_page_header_v2();
        if (data == null) {
            throw noHeader(header);
        }
        beginRows(data.getNum_values());
        int repetition = data.getRepetition_levels_byte_length();
        int definition = data.getDefinition_levels_byte_length();
        int length = header.getCompressed_page_size();
        if (repetition < 0
                || definition < 0
                || repetition > length - definition
                || repetition + definition > header.getUncompressed_page_size()) {
            throw new ParquetDefect("levels of " + repetition + " and " + definition + " bytes in a page of " + length);
        }
        int levelBytes = repetition + definition;
        levels.open(window.bytes(), from + repetition, from + levelBytes, levelWidth);
        boolean isCompressed = !data.isSetIs_compressed() || data.isIs_compressed();
        decompress(
                from + levelBytes, length - levelBytes, header.getUncompressed_page_size() - levelBytes, isCompressed);
        target.page(data.getEncoding(), page, pageFrom, pageEnd);
    }

    private void beginRows(int rows) {
        if (rows < 0 || rows > rowsAfterPage) {
            throw new ParquetDefect(
                    "a page of " + rows + " values, where the row group has " + rowsAfterPage + " rows left");
        }
        rowsInPage = rows;
        rowsAfterPage -= rows;
    }

    private void decompress(int from, int length, int expected, boolean isCompressed) {
        if (codec == CompressionCodec.UNCOMPRESSED || !isCompressed || length == 0) {
            if (length != expected) {
                throw new ParquetDefect("a page of " + length + " bytes, its header declares " + expected);
            }
            page = window.bytes();
            pageFrom = from;
        } else {
            decompressed = resources.budget().bytes(decompressed, (long) expected + LittleEndian.SLACK);
            resources.codec().decompress(codec, window.bytes(), from, length, decompressed, expected);
            page = decompressed;
            pageFrom = 0;
        }
        pageEnd = pageFrom + expected;
    }

    private static ParquetDefect noHeader(PageHeader header) {
        return new ParquetDefect("a page of type " + header.getType() + " without the header of its type");
    }
}
