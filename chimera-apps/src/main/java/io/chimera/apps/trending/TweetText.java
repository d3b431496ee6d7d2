package io.chimera.apps.trending;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Generates tweets in the format of Twitter's streams (version 1.1), 2 to 3 KB each, eight of a hundred with hashtags.
 * Tweet i depends on the seed and i only, so any part of a set can be generated independently, and the expected counts
 * are known. One thread.
 */
public final class TweetText {
    private static final int TAGGED_PERMILLE = 80;
    private static final int RETWEET_PERMILLE = 280;
    private static final int QUOTE_PERMILLE = 60;
    private static final int EXTENDED_PERMILLE = 250;
    private static final int ESCAPED_PERMILLE = 700;
    private static final int TRAP_PERMILLE = 5;

    private static final int TAGS = 1;
    private static final int WORDS = 2;

    private static final DateTimeFormatter CREATED = DateTimeFormatter.ofPattern(
                    "EEE MMM dd HH:mm:ss Z yyyy", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** Text that resembles hashtags in JSON, as a trap for parsers. */
    private static final String TRAP = "{\"entities\":{\"hashtags\":[{\"text\":\"trap\"}]}}";

    private final long seed;
    private final long rate;
    private final long startMs;
    private final TagSource tags = new TagSource();
    private final TweetParts parts = new TweetParts();
    private final Draws tagDraws = new Draws();
    private final Draws draws = new Draws();

    /**
     * Creates a generator.
     *
     * @param seed determines everything except the times
     * @param rate tweets per second of event time
     * @param startMs time of the first tweet, milliseconds since 1970
     */
    public TweetText(long seed, long rate, long startMs) {
        this.seed = seed;
        this.rate = rate;
        this.startMs = startMs;
    }

    /** Returns the expected hashtags of a tweet in their order, each code point in lower case. */
    public List<String> counted(long index) {
        return written(index).stream().map(TagSource::counted).toList();
    }

    /** Returns the time of a tweet, milliseconds since 1970. */
    public long timeMs(long index) {
        return startMs + Math.multiplyExact(index, 1_000L) / rate;
    }

    private List<String> written(long index) {
        tagDraws.begin(seed, index, TAGS);
        if (!tagDraws.permille(TAGGED_PERMILLE)) {
            return List.of();
        }
        int drawn = tagDraws.below(100);
        int count = drawn < 60 ? 1 : drawn < 85 ? 2 : 3;
        List<String> written = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            written.add(tags.draw(tagDraws, index / rate));
        }
        return written;
    }

    /** Appends a tweet without a line break. */
    public void append(long index, StringBuilder out) {
        draws.begin(seed, index, WORDS);
        JsonText json = new JsonText(out, draws.permille(ESCAPED_PERMILLE));
        List<String> written = written(index);
        long ms = timeMs(index);
        json.begin('{');
        if (draws.permille(RETWEET_PERMILLE)) {
            retweet(json, index, ms, written);
        } else {
            boolean quotes = draws.permille(QUOTE_PERMILLE);
            boolean extended = !quotes && draws.permille(EXTENDED_PERMILLE);
            String text = parts.words(draws, extended ? 30 : 14, written);
            head(json, index, ms, draws.permille(TRAP_PERMILLE) ? text + TRAP : text, extended);
            parts.user(json, draws, true);
            if (extended) {
                extended(json, text, written);
            } else if (quotes) {
                status(json.begin("quoted_status", '{'), index, ms - 3_600_000);
                json.end('}');
            } else {
                parts.place(json, draws);
            }
            parts.counts(json, draws);
            parts.entities(json, draws, extended ? few(written) : written, false);
        }
        json.text("filter_level", "low")
                .text("lang", "en")
                .text("timestamp_ms", Long.toString(ms))
                .end('}');
    }

    private void retweet(JsonText json, long index, long ms, List<String> written) {
        boolean extended = draws.permille(EXTENDED_PERMILLE / 2);
        String text = parts.words(draws, 12, written);
        head(json, index, ms, "RT @" + parts.name(draws) + ": " + text, false);
        parts.user(json, draws, true);
        json.begin("retweeted_status", '{');
        head(json, index - 1, ms - 600_000, text, extended);
        parts.user(json, draws, false);
        if (extended) {
            extended(json, text, written);
        }
        parts.counts(json, draws);
        parts.entities(json, draws, extended ? few(written) : written, false);
        json.end('}');
        parts.counts(json, draws);
        parts.entities(json, draws, few(written), false);
    }

    /** Writes a quoted tweet. Its own tags, present in some tweets, must not be counted. */
    private void status(JsonText json, long index, long ms) {
        List<String> others = draws.permille(TAGGED_PERMILLE) ? List.of("quotedonly") : List.of();
        head(json, index - 2, ms, parts.words(draws, 10, others), false);
        parts.user(json, draws, false);
        parts.counts(json, draws);
        parts.entities(json, draws, others, false);
    }

    private void extended(JsonText json, String text, List<String> written) {
        json.begin("extended_tweet", '{').text("full_text", text);
        json.begin("display_text_range", '[').element(0).element(text.length()).end(']');
        parts.entities(json, draws, written, true);
        json.end('}');
    }

    private static List<String> few(List<String> written) {
        return written.subList(0, Math.min(1, written.size()));
    }

    private void head(JsonText json, long index, long ms, String text, boolean extended) {
        long id = ((ms - 1_288_834_974_657L) << 22) + (index & 0xFFF);
        json.text("created_at", CREATED.format(Instant.ofEpochMilli(ms)))
                .raw("id", id)
                .text("id_str", Long.toString(id))
                .text("text", text)
                .text(
                        "source",
                        "<a href=\"http://twitter.com/download/iphone\" rel=\"nofollow\">Twitter for iPhone</a>")
                .raw("truncated", extended)
                .raw("in_reply_to_status_id", null)
                .raw("in_reply_to_status_id_str", null)
                .raw("in_reply_to_user_id", null)
                .raw("in_reply_to_user_id_str", null)
                .raw("in_reply_to_screen_name", null);
    }
}
