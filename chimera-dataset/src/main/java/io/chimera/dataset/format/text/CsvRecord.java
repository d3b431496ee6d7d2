package io.chimera.dataset.format.text;

import java.util.Arrays;

/**
 * Finds the values of one CSV record in an array. Values without escapes stay where they are; others are copied to a
 * scratch array. One thread; allocates only to grow.
 */
final class CsvRecord {
    /** Result of {@link #read}: a quoted value does not end before the end of the bytes. */
    static final int UNCLOSED = -1;

    /** Result of {@link #read}: other bytes than a separator follow a quoted value. */
    static final int BAD_QUOTE = -2;

    /** Receives the values. */
    interface Values {
        /**
         * Takes a value; the bytes stay until the next record is read.
         *
         * @param column number of the column, from 0
         */
        void value(int column, byte[] bytes, int from, int to);
    }

    private final char separator;
    private final char quote;
    private final boolean quotedLines;

    private byte[] scratch = new byte[256];
    private int used;
    private int columns;

    private byte[] bytes = scratch;
    private int next;

    CsvRecord(CsvOptions options, boolean quotedLines) {
        this.separator = options.separator();
        this.quote = options.quote();
        this.quotedLines = quotedLines;
    }

    /** Number of values of the most recent record. */
    int columns() {
        return columns;
    }

    /**
     * Reads a record up to and including its line feed, or up to the end of the bytes.
     *
     * @return index after the record; {@link #UNCLOSED}; {@link #BAD_QUOTE}
     */
    int read(byte[] source, int from, int to, Values values) {
        bytes = source;
        used = 0;
        columns = 0;
        next = from;
        while (true) {
            int result = next < to && bytes[next] == quote ? readQuoted(to, values) : readPlain(to, values);
            if (result < 0) {
                return result;
            }
            columns++;
            if (next >= to) {
                return to;
            }
            if (bytes[next++] == '\n') {
                return next;
            }
        }
    }

    /** Reads a value up to the separator, line feed or end after it. */
    private int readPlain(int to, Values values) {
        int i = next;
        while (i < to && bytes[i] != separator && bytes[i] != '\n') {
            i++;
        }
        boolean isLast = i == to || bytes[i] == '\n';
        int end = isLast && i > next && bytes[i - 1] == '\r' ? i - 1 : i;
        values.value(columns, bytes, next, end);
        next = i;
        return 0;
    }

    private int readQuoted(int to, Values values) {
        int start = next + 1;
        int copied = -1; // index in the scratch array of a value with escapes
        int i = start;
        while (true) {
            while (i < to && bytes[i] != quote && (quotedLines || bytes[i] != '\n')) {
                i++;
            }
            if (i >= to || bytes[i] != quote) {
                return UNCLOSED;
            }
            if (i + 1 >= to || bytes[i + 1] != quote) {
                break;
            }
            // an escape: the text before it and one quote
            copied = copied < 0 ? used : copied;
            copy(start, i + 1);
            i += 2;
            start = i;
        }
        if (copied < 0) {
            values.value(columns, bytes, start, i);
        } else {
            copy(start, i);
            values.value(columns, scratch, copied, used);
        }
        next = i + 1;
        if (next < to && bytes[next] == '\r' && (next + 1 == to || bytes[next + 1] == '\n')) {
            next++;
        }
        return next >= to || bytes[next] == separator || bytes[next] == '\n' ? 0 : BAD_QUOTE;
    }

    private void copy(int from, int to) {
        int length = to - from;
        if (length > scratch.length - used) {
            // values that were handed on keep the old array
            scratch = Arrays.copyOf(scratch, Math.max(2 * scratch.length, used + length));
        }
        System.arraycopy(bytes, from, scratch, used, length);
        used += length;
    }
}
