package io.chimera.dataset.format.text;

import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;
import io.chimera.dataset.format.EventReader;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.codec.SplitContent;
import java.io.IOException;

/**
 * Hands the lines of a split to a parser. Blocks of lines without double quotes go to the parser at once; with quotes,
 * each line goes alone, so that an unclosed quote cannot join two lines. The result therefore depends on the lines
 * only, not on the pieces in which the bytes arrive. With quoted lines the parser decides where a point ends. One
 * thread; allocates nothing per line.
 */
final class LineSplitReader implements EventReader {
    private final SplitContent content;
    private final Parser parser;
    private final LineBuffer lines;
    private final Chunk chunk;
    private final LineOrigin origin;
    private final int lineBytesMax;
    private final boolean quotedLines;
    private final int sampleBytesMax;
    private final String tooLong;

    private boolean mayHaveMark;
    private boolean isClosed;

    /**
     * Creates a reader.
     *
     * @param content content of the split; this reader closes the content
     * @param parser parser of the lines; this reader closes the parser
     * @param options limits
     * @param origin place of the split in its object
     * @param unitNs nanoseconds per unit of the timestamps in the text
     */
    LineSplitReader(SplitContent content, Parser parser, TextOptions options, LineOrigin origin, long unitNs) {
        this.content = content;
        this.parser = parser;
        this.origin = origin;
        this.lineBytesMax = options.lineBytesMax();
        this.quotedLines = options.quotedLines();
        this.lines = new LineBuffer(content, lineBytesMax, origin.skipsFirstLine());
        this.mayHaveMark = !origin.skipsFirstLine();
        this.chunk = new Chunk().restart(unitNs);
        this.sampleBytesMax = options.sampleBytesMax();
        this.tooLong = options.tooLong();
        if (origin.hasHeader()) {
            chunk.consumedTo(0, 1);
        }
    }

    @Override
    public boolean read(PointSink sink) throws IOException {
        if (lines.isLast()) {
            return false;
        }
        lines.fill();
        lines.skipUnwanted();
        int end = lines.endOfLines();
        if (end > lines.start()) {
            skipByteOrderMark();
            if (quotedLines) {
                takeQuoted(end, sink);
            } else {
                takeLines(end, sink);
            }
        }
        if (lines.isLineTooLong()) {
            reject(lines.start(), lines.length(), sink);
            lines.skipUnfinishedLine();
        }
        return !lines.isLast();
    }

    private void skipByteOrderMark() {
        if (mayHaveMark) {
            mayHaveMark = false;
            if (ByteOrderMark.begins(lines.bytes(), lines.start(), lines.length())) {
                lines.consumeTo(lines.start() + ByteOrderMark.LENGTH);
            }
        }
    }

    /** Parses lines, except lines that are too long. */
    private void takeLines(int end, PointSink sink) throws IOException {
        byte[] bytes = lines.bytes();
        int block = lines.start();
        int from = block; // begins a line; all lines of the block before are short enough
        while (end - from > lineBytesMax) {
            int lineFeed = LineScan.lastLineFeed(bytes, from, from + lineBytesMax + 1);
            if (lineFeed >= 0) {
                from = lineFeed + 1;
            } else {
                takeBlock(block, from, sink);
                int endOfLine = LineScan.indexOf(bytes, from + lineBytesMax, end, '\n');
                reject(from, endOfLine - from, sink);
                from = Math.min(endOfLine + 1, end);
                block = from;
            }
        }
        takeBlock(block, end, sink);
        lines.consumeTo(end);
    }

    private void takeBlock(int from, int to, PointSink sink) throws IOException {
        byte[] bytes = lines.bytes();
        int rest = from;
        if (from < to && LineScan.indexOf(bytes, from, to, '"') == to) {
            parse(from, to, lines.isLast(), sink);
            rest = chunk.offset();
            if (rest < to) {
                parser.reset();
            }
        }
        while (rest < to) {
            int next = Math.min(LineScan.indexOf(bytes, rest, to, '\n') + 1, to);
            parse(rest, next, true, sink);
            checkConsumed();
            rest = next;
        }
    }

    /**
     * Parses points that may span lines. The parser leaves an unfinished point until more lines arrive. A chunk has at
     * most the length of one point, so the same points are too long whatever else is in the buffer.
     */
    private void takeQuoted(int end, PointSink sink) throws IOException {
        while (lines.start() < end) {
            int from = lines.start();
            int to = endOfLongest(from, end);
            if (to > from) {
                parse(from, to, lines.isLast() && to == end, sink);
                lines.consumeTo(chunk.offset());
            }
            if (lines.start() == from) {
                if (lines.length() <= lineBytesMax) {
                    if (lines.isLast()) {
                        checkConsumed();
                    }
                    return;
                }
                rejectFirstLine(end, sink);
            }
        }
    }

    /** Returns the end of the last line that a point from an index on may contain; the index if it has no line. */
    private int endOfLongest(int from, int end) {
        if (end - from <= lineBytesMax) {
            return end;
        }
        int lineFeed = LineScan.lastLineFeed(lines.bytes(), from, from + lineBytesMax + 1);
        return lineFeed < 0 ? from : lineFeed + 1;
    }

    /** Rejects the first line of a point that is too long, often after an unclosed quote; the next line may be good. */
    private void rejectFirstLine(int end, PointSink sink) {
        int lineFeed = LineScan.indexOf(lines.bytes(), lines.start(), end, '\n');
        reject(lines.start(), lineFeed - lines.start(), sink);
        lines.consumeTo(Math.min(lineFeed + 1, end));
        parser.reset();
    }

    private void parse(int from, int to, boolean isLast, PointSink sink) throws IOException {
        chunk.wrap(lines.bytes(), from, to - from, isLast);
        if (!parser.parse(chunk, sink)) {
            throw new IllegalStateException("the sink of a data set has no room");
        }
        if (chunk.isAbandoned()) {
            throw new FormatException(
                    origin.path() + ", line " + chunk.line() + " of the split at offset " + origin.offset()
                            + ": the parser found no beginning of a further point; check the type of the input",
                    null);
        }
    }

    private void checkConsumed() {
        if (!chunk.isEmpty()) {
            throw new IllegalStateException(parser.getClass().getName() + " left bytes of a last chunk");
        }
    }

    /** Rejects a line that is too long, and counts the line. */
    private void reject(int from, int length, PointSink sink) {
        sink.reject(lines.bytes(), from, Math.min(length, sampleBytesMax), chunk.line(), tooLong);
        chunk.consumedTo(from, 1);
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            parser.close();
            content.close();
        }
    }
}
