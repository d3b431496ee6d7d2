package io.chimera.queue.parser;

import io.chimera.api.HotPath;
import io.chimera.api.spi.PointSink;

/**
 * Iterates over the words of a line, separated by spaces and control characters. With quotes, a word may be enclosed in
 * double quotes and then ends at a quote before a space or the end of the line. Not thread-safe; allocates nothing.
 */
final class WordCursor {
    private final boolean quotes;
    private byte[] bytes;
    private int position;
    private int end;

    /** Bounds of the current word, without quotes. */
    private int wordStart;

    private int wordEnd;

    /** Index of the equals sign of the current word; set by {@link #splitTag}. */
    private int equals;

    /**
     * Creates a cursor without a line.
     *
     * @param quotes whether words may be enclosed in double quotes
     */
    WordCursor(boolean quotes) {
        this.quotes = quotes;
    }

    /** Starts before the first word of a line. */
    void open(byte[] newBytes, int from, int newEnd) {
        if (bytes != newBytes) {
            bytes = newBytes; // conditional, because writing a reference costs a GC barrier
        }
        position = from;
        end = newEnd;
    }

    /** Releases the array of the line. */
    void release() {
        bytes = null;
    }

    /** Advances to the next word; false at the end of the line. */
    @HotPath
    boolean next() {
        while (position < end && isSpace(bytes[position])) {
            position++;
        }
        if (position >= end) {
            return false;
        }
        boolean quoted = quotes && bytes[position] == '"';
        wordStart = quoted ? position + 1 : position;
        int i = wordStart;
        while (i < end
                && (quoted ? !(bytes[i] == '"' && (i + 1 == end || isSpace(bytes[i + 1]))) : !isSpace(bytes[i]))) {
            i++;
        }
        wordEnd = i;
        position = quoted ? Math.min(i + 1, end) : i;
        return true;
    }

    private static boolean isSpace(byte b) {
        return b >= 0 && b <= ' ';
    }

    /** Index after the current word and a closing quote. */
    int position() {
        return position;
    }

    /** First byte of the current word. */
    int start() {
        return wordStart;
    }

    /** Index after the last byte of the current word. */
    int end() {
        return wordEnd;
    }

    /** Whether the current word is empty, which requires quotes. */
    boolean isEmpty() {
        return wordEnd == wordStart;
    }

    /** Whether the current word equals the given word. */
    boolean is(byte[] word) {
        return isWord(word, wordEnd);
    }

    /** Whether the tag of {@link #splitTag} has the given name. */
    boolean isTag(byte[] name) {
        return isWord(name, equals);
    }

    private boolean isWord(byte[] word, int to) {
        if (to - wordStart != word.length) {
            return false;
        }
        for (int i = 0; i < word.length; i++) {
            if (bytes[wordStart + i] != word[i]) {
                return false;
            }
        }
        return true;
    }

    /** Splits the current word into the name and the value of a tag; returns null without an error. */
    @HotPath
    ParseError splitTag() {
        equals = equalsSign(wordStart);
        if (equals == wordEnd || equalsSign(equals + 1) < wordEnd) {
            return ParseError.TELNET_BAD_TAG;
        }
        if (equals == wordStart) {
            return ParseError.TELNET_NO_TAG_NAME;
        }
        return equals + 1 == wordEnd ? ParseError.TELNET_NO_TAG_VALUE : null;
    }

    private int equalsSign(int from) {
        int i = from;
        while (i < wordEnd && bytes[i] != '=') {
            i++;
        }
        return i;
    }

    /** First byte of the value of the tag of {@link #splitTag}. */
    int tagValue() {
        return equals + 1;
    }

    /** Passes the tag of {@link #splitTag} to the sink. */
    void writeTag(PointSink sink) {
        sink.tag(bytes, wordStart, equals - wordStart, bytes, equals + 1, wordEnd - equals - 1);
    }
}
