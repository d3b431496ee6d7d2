package io.chimera.dataset.format.text;

import io.chimera.api.spi.Parser;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.format.EventReader;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.ObjectBytes;
import io.chimera.dataset.format.codec.CodecLimits;
import io.chimera.dataset.format.codec.Compression;
import io.chimera.dataset.format.codec.SplitContent;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/**
 * Text with one event per line: lines for any parser, CSV, or JSON lines.
 *
 * <p>The first byte of a line, for the question to which split the line belongs, is the line feed before the line; the
 * first line of an object begins at offset 0. So a reader skips the bytes up to and including the first line feed of
 * its split (not at the beginning of the object), and ends with the line that crosses or begins at the end of the
 * split. In a compressed object the rule applies to the content: the content of a split is the content of all frames
 * that begin in the split, see {@link Compression}. A line may end with {@code \r\n}, and the last line may have no
 * end.
 *
 * <p>With {@link TextOptions#quotedLines()} a point may span lines. Then an object is one split, because a line feed
 * may be part of a value.
 */
public final class TextFormat implements EventFormat {
    private final TextOptions options;
    private final LineParsers parsers;
    private final boolean hasHeader;
    private final long unitNs;

    private TextFormat(TextOptions options, LineParsers parsers, boolean hasHeader, long unitNs) {
        this.options = options;
        this.parsers = parsers;
        this.hasHeader = hasHeader;
        this.unitNs = unitNs;
    }

    /**
     * Creates the format of lines for a parser. A line without a double quote must be read alone: the parser may join
     * lines only within double quotes, and only with {@link TextOptions#quotedLines()}.
     *
     * @param options options of all text formats
     * @param parsers creates one parser per split, on any thread; {@link io.chimera.api.spi.ParserType#create}
     * @param unitNs nanoseconds per unit of the timestamps in the text, at least 1
     */
    public static TextFormat lines(TextOptions options, Supplier<? extends Parser> parsers, long unitNs) {
        return new TextFormat(options, header -> parsers.get(), false, unitNs);
    }

    /**
     * Creates the format of CSV.
     *
     * @param options options of all text formats
     * @param csv dialect
     * @param mapping mapping of columns, by the names of the header or by numbers from 1
     * @throws IllegalArgumentException when the mapping refers to names, and the text has no header
     */
    public static TextFormat csv(TextOptions options, CsvOptions csv, RowMapping mapping) {
        LineParsers parsers = header -> new CsvLineParser(
                mapping,
                csv.hasHeader() ? CsvHeader.read(header, csv) : CsvHeader.NONE,
                new CsvRecord(csv, options.quotedLines()),
                options.quotedLines());
        if (!csv.hasHeader()) {
            parsers.create(LineParsers.NO_HEADER).close();
        }
        return new TextFormat(options, parsers, csv.hasHeader(), 1);
    }

    /**
     * Creates the format of JSON lines. Line ends in JSON texts are always escaped, so points never span lines.
     *
     * @param options options of all text formats, without quoted lines
     * @param mapping mapping of columns, by keys with dots between them
     * @throws IllegalArgumentException when a path of the mapping is bad, or the options have quoted lines
     */
    public static TextFormat jsonLines(TextOptions options, RowMapping mapping) {
        if (options.quotedLines()) {
            throw new IllegalArgumentException("JSON lines with quoted lines; a JSON text has no line end in a value");
        }
        LineParsers parsers = header -> new JsonLineParser(mapping, options);
        parsers.create(LineParsers.NO_HEADER).close();
        return new TextFormat(options, parsers, false, 1);
    }

    @Override
    public List<ByteRange> splits(ObjectBytes object, long targetLength) throws IOException {
        return options.quotedLines()
                ? List.of(new ByteRange(0, object.length()))
                : options.of(object).splits(object, targetLength, options.limits());
    }

    @Override
    public EventReader open(ObjectBytes object, ByteRange range) throws IOException {
        Parser parser = parser(object);
        LineOrigin origin = new LineOrigin(object.path(), range.from(), hasHeader && range.from() == 0);
        SplitContent content = options.of(object).open(object, range, options.limits());
        return new LineSplitReader(content, parser, options, origin, unitNs);
    }

    @Override
    public boolean hasIndependentSplits(String path) {
        return options.ofPath(path).hasIndependentSplits();
    }

    @Override
    public boolean readsInOrder() {
        return true;
    }

    private Parser parser(ObjectBytes object) throws IOException {
        byte[] header = hasHeader ? header(object) : LineParsers.NO_HEADER;
        try {
            return parsers.create(header);
        } catch (IllegalArgumentException e) {
            throw new FormatException(object.path() + ": " + e.getMessage() + "; correct the mapping of the job", e);
        }
    }

    /** Reads the first line of an object. */
    private byte[] header(ObjectBytes object) throws IOException {
        CodecLimits limits = options.limits();
        try (SplitContent content = options.of(object).open(object, new ByteRange(0, object.length()), limits)) {
            return FirstLine.read(content, object.path(), options.lineBytesMax());
        }
    }
}
