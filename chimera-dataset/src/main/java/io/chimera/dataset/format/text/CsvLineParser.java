package io.chimera.dataset.format.text;

import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.Utf8;
import org.jspecify.annotations.Nullable;

/** Parses lines of CSV to points by a mapping. Skips blank lines. Allocates nothing per good line. */
final class CsvLineParser implements Parser, CsvRecord.Values {
    private static final String UNCLOSED_LINE =
            "quoted value does not end in its line; with line ends in values, set quoted_lines";
    private static final String UNCLOSED = "quoted value does not end";
    private static final String BAD_QUOTE = "text after a quoted value";

    /** Number of bad lines whose number of columns is described; later lines have a constant reason. */
    private static final int DESCRIBED_MAX = 100;

    private final MappedRow row;
    private final CsvRecord csv;

    /** Column of the mapping by column of the text; -1 for a column that is not mapped. */
    private final int[] mapped;

    /** Number of columns of each line; 0 when any number from the last mapped column on is good. */
    private final int columns;

    private final boolean quotedLines;
    private final String unclosed;
    private int described;

    /**
     * Creates a parser.
     *
     * @param mapping the mapping
     * @param header columns of the text
     * @param csv reads records
     * @param quotedLines whether a record may span lines, as for the reader of records
     */
    CsvLineParser(RowMapping mapping, CsvHeader header, CsvRecord csv, boolean quotedLines) {
        this.row = new MappedRow(mapping);
        this.csv = csv;
        this.mapped = header.mapped(row.columns());
        this.columns = header.count();
        this.quotedLines = quotedLines;
        this.unclosed = quotedLines ? UNCLOSED : UNCLOSED_LINE;
    }

    @Override
    public boolean parse(Chunk chunk, PointSink sink) {
        byte[] bytes = chunk.bytes();
        int limit = chunk.limit();
        while (!chunk.isEmpty()) {
            int start = chunk.offset();
            if (isBlank(bytes, start, limit)) {
                chunk.consumedTo(Math.min(LineScan.indexOf(bytes, start, limit, '\n') + 1, limit), 1);
                continue;
            }
            row.clear();
            int end = csv.read(bytes, start, limit, this);
            if (end == CsvRecord.UNCLOSED && quotedLines && !chunk.last()) {
                return true;
            }
            if (end < 0) {
                rejectFirstLine(chunk, sink, end == CsvRecord.UNCLOSED ? unclosed : BAD_QUOTE);
            } else {
                String reason = write(bytes, start, end, sink);
                if (reason != null) {
                    int length = bytes[end - 1] == '\n' ? end - 1 - start : end - start;
                    sink.reject(bytes, start, length, chunk.line(), reason);
                }
                chunk.consumedTo(end, quotedLines ? lineFeeds(bytes, start, end) : 1);
            }
        }
        return true;
    }

    private static int lineFeed(Chunk chunk, int from) {
        return LineScan.indexOf(chunk.bytes(), from, chunk.limit(), '\n');
    }

    private static boolean isBlank(byte[] bytes, int start, int limit) {
        return bytes[start] == '\n' || (bytes[start] == '\r' && (start + 1 == limit || bytes[start + 1] == '\n'));
    }

    private @Nullable String write(byte[] bytes, int start, int end, PointSink sink) {
        if (columns > 0 ? csv.columns() != columns : csv.columns() < mapped.length) {
            return described++ < DESCRIBED_MAX
                    ? csv.columns() + " columns instead of " + (columns > 0 ? columns : mapped.length)
                    : "wrong number of columns";
        }
        boolean isUtf8 = LineScan.isAscii(bytes, start, end) || Utf8.isValid(bytes, start, end);
        return isUtf8 ? row.write(sink, end - start) : "not UTF-8";
    }

    @Override
    public void value(int column, byte[] bytes, int from, int to) {
        if (column < mapped.length && mapped[column] >= 0 && from < to) {
            row.set(mapped[column], bytes, from, to);
        }
    }

    /** Rejects the first line of a record without an end; the next line may begin a good record. */
    private static void rejectFirstLine(Chunk chunk, PointSink sink, String reason) {
        int start = chunk.offset();
        int lineFeed = lineFeed(chunk, start);
        sink.reject(chunk.bytes(), start, lineFeed - start, chunk.line(), reason);
        chunk.consumedTo(Math.min(lineFeed + 1, chunk.limit()), 1);
    }

    private static int lineFeeds(byte[] bytes, int from, int to) {
        int count = 0;
        for (int i = LineScan.indexOf(bytes, from, to, '\n'); i < to; i = LineScan.indexOf(bytes, i + 1, to, '\n')) {
            count++;
        }
        return count;
    }
}
