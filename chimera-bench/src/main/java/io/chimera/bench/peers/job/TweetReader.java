package io.chimera.bench.peers.job;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Reads the hashtags of a tweet with Jackson's streaming parser, in the way of a program optimized for speed: skips all
 * content without hashtags. For a retweet, the hashtags of the original tweet count; hashtags of {@code extended_tweet}
 * replace the hashtags of the tweet. One thread.
 */
public final class TweetReader {
    private final JsonFactory factory = new JsonFactory();

    /** Creates a reader with a separate factory, which caches field names. */
    public TweetReader() {}

    /** Returns the hashtags of a tweet in lower case. */
    public List<String> tags(byte[] bytes, int offset, int length) throws IOException {
        try (JsonParser json = factory.createParser(bytes, offset, length)) {
            json.nextToken();
            return status(json);
        }
    }

    private static List<String> status(JsonParser json) throws IOException {
        List<String> tags = List.of();
        List<String> extended = null;
        List<String> retweeted = null;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            if (value != JsonToken.START_OBJECT) {
                json.skipChildren();
                continue;
            }
            switch (name) {
                case "entities" -> tags = entities(json);
                case "extended_tweet" -> extended = extended(json);
                case "retweeted_status" -> retweeted = status(json);
                default -> json.skipChildren();
            }
        }
        return retweeted != null ? retweeted : extended != null ? extended : tags;
    }

    private static List<String> extended(JsonParser json) throws IOException {
        List<String> tags = null;
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            boolean isEntities = json.currentName().equals("entities");
            if (json.nextToken() == JsonToken.START_OBJECT && isEntities) {
                tags = entities(json);
            } else {
                json.skipChildren();
            }
        }
        return tags;
    }

    private static List<String> entities(JsonParser json) throws IOException {
        List<String> tags = List.of();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            boolean isHashtags = json.currentName().equals("hashtags");
            if (json.nextToken() == JsonToken.START_ARRAY && isHashtags) {
                tags = hashtags(json);
            } else {
                json.skipChildren();
            }
        }
        return tags;
    }

    private static List<String> hashtags(JsonParser json) throws IOException {
        List<String> tags = List.of();
        while (json.nextToken() == JsonToken.START_OBJECT) {
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                boolean isText = json.currentName().equals("text");
                if (json.nextToken() == JsonToken.VALUE_STRING && isText) {
                    tags = tags.isEmpty() ? new ArrayList<>() : tags;
                    tags.add(json.getText().toLowerCase(Locale.ROOT));
                } else {
                    json.skipChildren();
                }
            }
        }
        return tags;
    }
}
