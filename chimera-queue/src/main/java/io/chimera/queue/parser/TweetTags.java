package io.chimera.queue.parser;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.chimera.common.wire.BodyLayout;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;

/**
 * Reads a tweet as JSON, from its first brace to its last, for hashtags and time. Of a retweet the tags of what is retweeted
 * count, whose list is whole where its own may be cut off; {@code extended_tweet.entities} stand in for the entities beside
 * them for the same reason; a quoted tweet does not count. Of a key that is there twice the last one counts. Not
 * thread-safe; allocates a reader for each tweet.
 */
final class TweetTags {
    static final String NO_OBJECT = "a tweet is expected: a JSON object";
    private static final String INVALID = "invalid JSON";
    private static final String BEHIND = "text behind the end of the JSON object";
    private static final String BAD_TIME = "invalid timestamp_ms: milliseconds since 1970 are expected";
    private static final String BAD_DATE = "invalid created_at: e.g. Wed Aug 27 13:08:45 +0000 2008 is expected";
    private static final String TOO_LONG = "hashtags longer than 64 KiB";

    /** So many bad tweets of a connection are described one by one; the others share words. */
    private static final int DESCRIBED_MAX = 100;

    private static final DateTimeFormatter CREATED_AT =
            DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss Z yyyy", Locale.ROOT);

    private static final long NS_PER_MS = 1_000_000;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(64)
                    .maxNameLength(BodyLayout.TEXT_LENGTH_MAX)
                    .maxStringLength(BodyLayout.TEXT_LENGTH_MAX)
                    .maxNumberLength(BodyLayout.TEXT_LENGTH_MAX)
                    .build())
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private static final int TAGS_FIRST = 64;

    private final TextStore texts = new TextStore();

    /** Where each tag begins in the texts, and where it ends. */
    private int[] starts = new int[TAGS_FIRST];

    private int[] ends = new int[TAGS_FIRST];
    private int tags;

    private final Status tweet = new Status();
    private final Status retweeted = new Status();
    private boolean isRetweet;
    private String createdAt;
    private long timeMs;
    private boolean isTimed;
    private boolean isTimeBad;
    private int described;

    /** Where a tweet's tags are: numbers of the first and of that behind the last. */
    private static final class Status {
        private int first;
        private int end;
        private int extendedFirst;
        private int extendedEnd;
        private boolean isExtended;

        void clear() {
            end = 0;
            first = 0;
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

    /** Begins a connection or request. */
    void reset() {
        described = 0;
    }

    /**
     * Reads a tweet.
     *
     * @return what is wrong with it; null when nothing is
     */
    String read(byte[] bytes, int offset, int length) {
        clear();
        try (JsonParser json = FACTORY.createParser(bytes, offset, length)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return NO_OBJECT;
            }
            tweet(json);
            if (json.nextToken() != null) {
                return BEHIND;
            }
        } catch (JsonProcessingException e) {
            return described(e.getOriginalMessage());
        } catch (IOException e) {
            return described(e.getMessage()); // text in another encoding of Unicode, cut off
        }
        return texts.isFull() ? TOO_LONG : readTime();
    }

    private String described(String message) {
        return described++ < DESCRIBED_MAX ? INVALID + ": " + message : INVALID;
    }

    private void clear() {
        texts.clear();
        tags = 0;
        tweet.clear();
        retweeted.clear();
        isRetweet = false;
        createdAt = null;
        isTimed = false;
        isTimeBad = false;
    }

    private void tweet(JsonParser json) throws IOException {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            switch (name) {
                case "retweeted_status" -> {
                    isRetweet = value == JsonToken.START_OBJECT;
                    retweeted.clear();
                    if (isRetweet) {
                        retweeted(json);
                    } else {
                        json.skipChildren();
                    }
                }
                case "created_at" -> {
                    createdAt = value == JsonToken.VALUE_STRING ? json.getText() : null;
                    json.skipChildren();
                }
                case "timestamp_ms" -> time(json, value);
                default -> member(json, name, value, tweet);
            }
        }
    }

    private void retweeted(JsonParser json) throws IOException {
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            member(json, name, json.nextToken(), retweeted);
        }
    }

    /** Steps over a member that tweets and retweeted ones have, with a look at entities. */
    private void member(JsonParser json, String name, JsonToken value, Status status) throws IOException {
        if (name.equals("entities")) {
            status.first = tags;
            entities(json, value);
            status.end = tags;
        } else if (name.equals("extended_tweet")) {
            extended(json, value, status);
        } else {
            json.skipChildren();
        }
    }

    private void extended(JsonParser json, JsonToken token, Status status) throws IOException {
        status.isExtended = false;
        if (token != JsonToken.START_OBJECT) {
            json.skipChildren();
            return;
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            boolean isEntities = json.currentName().equals("entities");
            JsonToken value = json.nextToken();
            if (isEntities) {
                status.isExtended = value == JsonToken.START_OBJECT;
                status.extendedFirst = tags;
                entities(json, value);
                status.extendedEnd = tags;
            } else {
                json.skipChildren();
            }
        }
    }

    /** Adds the tags of entities; those of an array that another replaces are taken away again. */
    private void entities(JsonParser json, JsonToken token) throws IOException {
        if (token != JsonToken.START_OBJECT) {
            json.skipChildren();
            return;
        }
        int first = tags;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            boolean isHashtags = json.currentName().equals("hashtags");
            JsonToken value = json.nextToken();
            if (isHashtags) {
                tags = first;
            }
            if (isHashtags && value == JsonToken.START_ARRAY) {
                for (JsonToken next = json.nextToken(); next != JsonToken.END_ARRAY; next = json.nextToken()) {
                    hashtag(json, next);
                }
            } else {
                json.skipChildren();
            }
        }
    }

    private void hashtag(JsonParser json, JsonToken token) throws IOException {
        if (token != JsonToken.START_OBJECT) {
            json.skipChildren();
            return;
        }
        int before = tags;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            boolean isText = json.currentName().equals("text");
            JsonToken value = json.nextToken();
            if (isText) {
                tags = before;
            }
            if (isText && value == JsonToken.VALUE_STRING) {
                add(json);
            } else {
                json.skipChildren();
            }
        }
    }

    private void add(JsonParser json) throws IOException {
        int start = texts.used();
        if (texts.addLowerCase(json) == 0) {
            return;
        }
        if (tags == ends.length) {
            starts = Arrays.copyOf(starts, 2 * tags); // a tweet of 64 KiB has less than six thousand
            ends = Arrays.copyOf(ends, 2 * tags);
        }
        starts[tags] = start;
        ends[tags++] = texts.used();
        texts.mark();
    }

    private void time(JsonParser json, JsonToken token) throws IOException {
        isTimed = token != JsonToken.VALUE_NULL;
        isTimeBad = false;
        if (token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT) {
            try {
                timeMs = Long.parseLong(json.getText());
            } catch (NumberFormatException e) {
                isTimeBad = true;
            }
        } else if (isTimed) {
            isTimeBad = true;
            json.skipChildren();
        }
    }

    private String readTime() {
        if (isTimed) {
            return isTimeBad ? BAD_TIME : null;
        }
        if (createdAt == null) {
            return null;
        }
        try {
            timeMs = ZonedDateTime.parse(createdAt, CREATED_AT).toInstant().toEpochMilli();
            isTimed = true;
            return null;
        } catch (DateTimeException | ArithmeticException e) {
            return BAD_DATE;
        }
    }

    /** Whether the tweet says when it was written; otherwise it is as if it were written when it arrived. */
    boolean isTimed() {
        return isTimed;
    }

    /** When it was written, nanoseconds since 1970; -1 when that is out of range, which the sink refuses. */
    long timeNs() {
        return timeMs < 0 || timeMs > Long.MAX_VALUE / NS_PER_MS ? -1 : timeMs * NS_PER_MS;
    }

    /** Number of the first tag that counts. */
    int first() {
        return (isRetweet ? retweeted : tweet).first();
    }

    /** Number behind the last tag that counts. */
    int end() {
        return (isRetweet ? retweeted : tweet).end();
    }

    /** Holds the tags as UTF-8, each code point in lower case, with a quotation mark behind each. */
    byte[] bytes() {
        return texts.bytes();
    }

    /** Where a tag begins. */
    int offset(int tag) {
        return starts[tag];
    }

    /** Bytes of a tag without the mark behind it. */
    int length(int tag) {
        return ends[tag] - starts[tag];
    }
}
