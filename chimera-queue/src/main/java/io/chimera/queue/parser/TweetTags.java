package io.chimera.queue.parser;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;

/**
 * Parses a tweet as JSON, from the first brace to the last, for hashtags and time.
 *
 * <p>For a retweet, the tags of the retweeted status count, because the retweet's own list may be truncated. For the
 * same reason {@code extended_tweet.entities} replaces the entities at the same level. A quoted tweet is ignored. Of
 * duplicate keys the last key wins. Not thread-safe; allocates only for a tweet with a date but no milliseconds.
 */
final class TweetTags {
    static final String NO_OBJECT = "a tweet is expected: a JSON object";
    private static final String BEHIND = "text after the end of the JSON object";
    private static final String BAD_TIME = "invalid timestamp_ms: milliseconds since 1970 are expected";
    private static final String BAD_DATE = "invalid created_at: e.g. Wed Aug 27 13:08:45 +0000 2008 is expected";

    private static final byte[] ENTITIES = ascii("entities");
    private static final byte[] EXTENDED = ascii("extended_tweet");
    private static final byte[] RETWEETED = ascii("retweeted_status");
    private static final byte[] CREATED_AT = ascii("created_at");
    private static final byte[] TIMESTAMP = ascii("timestamp_ms");
    private static final byte[] HASHTAGS = ascii("hashtags");
    private static final byte[] TEXT = ascii("text");

    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss Z yyyy", Locale.ROOT);
    private static final long NS_PER_MS = 1_000_000;
    private static final int TAGS_FIRST = 64;

    /** Digit limit; longer numbers are out of range in any case. */
    private static final int DIGITS_MAX = 18;

    /**
     * Lower-case tags. A two-byte character may grow to three bytes in lower case, and a quotation mark follows each
     * tag.
     */
    private final byte[] texts = new byte[2 * LineCursor.LENGTH_MAX];

    private int used;

    /** Start and end of each tag in {@code texts}. */
    private int[] starts = new int[TAGS_FIRST];

    private int[] ends = new int[TAGS_FIRST];
    private int tags;

    private final JsonCursor json = new JsonCursor();
    private byte[] bytes;
    private final Status tweet = new Status();
    private final Status retweeted = new Status();
    private boolean isRetweet;

    /** Bounds of the date without quotes; -1 without a date. */
    private int dateStart;

    private int dateEnd;
    private boolean isTimed;
    private boolean isTimeBad;
    private long timeMs;

    /** Range of a status's tags: first tag, and index after the last tag. */
    private static final class Status {
        private int first;
        private int end;
        private int extendedFirst;
        private int extendedEnd;
        private boolean isExtended;

        void clear() {
            first = 0;
            end = 0;
            isExtended = false;
        }

        int first() {
            return isExtended ? extendedFirst : first;
        }

        int end() {
            return isExtended ? extendedEnd : end;
        }
    }

    TweetTags() {}

    private static byte[] ascii(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Reads a tweet.
     *
     * @return description of an error, a constant; null when the tweet is valid
     */
    @HotPath
    String read(byte[] newBytes, int offset, int length) {
        clear();
        bytes = newBytes;
        json.open(newBytes, offset, length);
        if (json.peek() != '{') {
            return NO_OBJECT;
        }
        tweet();
        if (json.wrong() != null) {
            return json.wrong();
        }
        return json.isAtEnd() ? readTime() : BEHIND;
    }

    private void clear() {
        used = 0;
        tags = 0;
        tweet.clear();
        retweeted.clear();
        isRetweet = false;
        dateStart = -1;
        isTimed = false;
        isTimeBad = false;
    }

    private void tweet() {
        json.begin();
        for (boolean first = true; json.nextMember(first); first = false) {
            if (json.textIs(RETWEETED)) {
                retweeted.clear();
                isRetweet = json.peek() == '{';
                retweeted();
            } else if (json.textIs(TIMESTAMP)) {
                time();
            } else if (json.textIs(CREATED_AT)) {
                date();
            } else {
                member(tweet);
            }
        }
    }

    private void retweeted() {
        if (!isRetweet) {
            json.skip();
            return;
        }
        json.begin();
        for (boolean first = true; json.nextMember(first); first = false) {
            member(retweeted);
        }
    }

    /** Processes a member common to tweets and retweeted statuses; only entities matter. */
    private void member(Status status) {
        if (json.textIs(ENTITIES)) {
            status.first = tags;
            entities();
            status.end = tags;
        } else if (json.textIs(EXTENDED)) {
            extended(status);
        } else {
            json.skip();
        }
    }

    private void extended(Status status) {
        status.isExtended = false;
        if (json.peek() != '{') {
            json.skip();
            return;
        }
        json.begin();
        for (boolean first = true; json.nextMember(first); first = false) {
            if (json.textIs(ENTITIES)) {
                status.isExtended = json.peek() == '{';
                status.extendedFirst = tags;
                entities();
                status.extendedEnd = tags;
            } else {
                json.skip();
            }
        }
    }

    /** Adds the tags of entities; a repeated array replaces the tags of the previous array. */
    private void entities() {
        if (json.peek() != '{') {
            json.skip();
            return;
        }
        int before = tags;
        json.begin();
        for (boolean first = true; json.nextMember(first); first = false) {
            if (json.textIs(HASHTAGS)) {
                tags = before;
                hashtags();
            } else {
                json.skip();
            }
        }
    }

    private void hashtags() {
        if (json.peek() != '[') {
            json.skip();
            return;
        }
        json.begin();
        for (boolean first = true; json.nextElement(first); first = false) {
            hashtag();
        }
    }

    private void hashtag() {
        if (json.peek() != '{') {
            json.skip();
            return;
        }
        int before = tags;
        json.begin();
        for (boolean first = true; json.nextMember(first); first = false) {
            boolean isText = json.textIs(TEXT);
            tags = isText ? before : tags;
            isText &= json.peek() == '"';
            json.skip();
            if (isText && json.wrong() == null && json.textStart() < json.textEnd()) {
                add();
            }
        }
    }

    private void add() {
        if (tags == ends.length) {
            starts = Arrays.copyOf(starts, 2 * tags); // a tweet of 64 KiB has less than six thousand tags
            ends = Arrays.copyOf(ends, 2 * tags);
        }
        starts[tags] = used;
        for (JsonChars chars = json.chars(); chars.hasNext(); ) {
            put(Character.toLowerCase(chars.next()));
        }
        ends[tags++] = used;
        texts[used++] = '"';
    }

    private void put(int c) {
        if (c < 0x80) {
            texts[used++] = (byte) c;
            return;
        }
        if (c < 0x800) {
            texts[used++] = (byte) (0xC0 | c >> 6);
        } else {
            if (c < 0x10000) {
                texts[used++] = (byte) (0xE0 | c >> 12);
            } else {
                texts[used++] = (byte) (0xF0 | c >> 18);
                texts[used++] = (byte) (0x80 | (c >> 12 & 0x3F));
            }
            texts[used++] = (byte) (0x80 | (c >> 6 & 0x3F));
        }
        texts[used++] = (byte) (0x80 | (c & 0x3F));
    }

    private void date() {
        boolean isText = json.peek() == '"';
        json.skip();
        dateStart = isText ? json.textStart() : -1;
        dateEnd = json.textEnd();
    }

    /** Reads a time in milliseconds, with or without quotes. */
    private void time() {
        int first = json.peek();
        isTimed = first != 'n';
        int start = json.position();
        json.skip();
        if (isTimed && json.wrong() == null) {
            int quotes = first == '"' ? 1 : 0;
            isTimeBad = !number(start + quotes, json.position() - quotes);
        }
    }

    private boolean number(int from, int to) {
        boolean negative = from < to && bytes[from] == '-';
        int start = negative ? from + 1 : from;
        if (start == to) {
            return false;
        }
        long value = 0;
        for (int i = start; i < to; i++) {
            if (bytes[i] < '0' || bytes[i] > '9') {
                return false;
            }
            value = i - start < DIGITS_MAX ? 10 * value + bytes[i] - '0' : Long.MAX_VALUE;
        }
        timeMs = negative ? -value : value;
        return true;
    }

    private String readTime() {
        if (isTimed) {
            return isTimeBad ? BAD_TIME : null;
        }
        return dateStart < 0 ? null : readDate();
    }

    /** Reads the date of a tweet without a timestamp, as old archives have it. */
    @ColdPath
    private String readDate() {
        try {
            String date = new String(bytes, dateStart, dateEnd - dateStart, StandardCharsets.UTF_8);
            timeMs = ZonedDateTime.parse(date, DATE).toInstant().toEpochMilli();
            isTimed = true;
            return null;
        } catch (DateTimeException | ArithmeticException e) {
            return BAD_DATE;
        }
    }

    /** Whether the tweet contains a time; otherwise the arrival time is used. */
    boolean isTimed() {
        return isTimed;
    }

    /** Time of the tweet, ns since 1970; -1 when out of range, which the sink rejects. */
    long timeNs() {
        return timeMs < 0 || timeMs > Long.MAX_VALUE / NS_PER_MS ? -1 : timeMs * NS_PER_MS;
    }

    /** Index of the first relevant tag. */
    int first() {
        return (isRetweet ? retweeted : tweet).first();
    }

    /** Index after the last relevant tag. */
    int end() {
        return (isRetweet ? retweeted : tweet).end();
    }

    /** Array with the tags in lower-case UTF-8, each followed by a quotation mark. */
    byte[] bytes() {
        return texts;
    }

    /** First byte of a tag. */
    int offset(int tag) {
        return starts[tag];
    }

    /** Bytes of a tag, without the quotation mark. */
    int length(int tag) {
        return ends[tag] - starts[tag];
    }
}
