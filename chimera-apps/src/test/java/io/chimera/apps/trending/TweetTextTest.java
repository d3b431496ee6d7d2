package io.chimera.apps.trending;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TweetTextTest {
    private static final int TWEETS = 20_000;
    private static final long START_MS = 1_409_318_650_332L;

    private final ObjectMapper mapper = new ObjectMapper();
    private final TweetText tweets = new TweetText(1, 100, START_MS);

    private String text(TweetText of, long index) {
        StringBuilder out = new StringBuilder();
        of.append(index, out);
        return out.toString();
    }

    @Test
    void everyTweetIsJsonOfTwoToFiveKilobytesAndSaysWhatIsCounted() throws IOException {
        long bytes = 0;
        int tagged = 0;
        for (int i = 0; i < TWEETS; i++) {
            String text = text(tweets, i);
            int length = text.getBytes(UTF_8).length;
            assertThat(length).isBetween(1_900, 5_500);
            bytes += length;
            JsonNode tweet = mapper.readTree(text);
            assertThat(tags(tweet)).isEqualTo(tweets.counted(i));
            assertThat(tweet.path("timestamp_ms").asLong()).isEqualTo(START_MS + i * 10L);
            tagged += tweets.counted(i).isEmpty() ? 0 : 1;
        }
        assertThat(bytes / TWEETS).isBetween(2_000L, 3_000L);
        assertThat(tagged * 100.0 / TWEETS).isBetween(7.5, 8.5);
    }

    private static List<String> tags(JsonNode tweet) {
        JsonNode retweeted = tweet.path("retweeted_status");
        JsonNode status = retweeted.isObject() ? retweeted : tweet;
        JsonNode extended = status.path("extended_tweet");
        List<String> tags = new ArrayList<>();
        for (JsonNode tag :
                (extended.isObject() ? extended : status).path("entities").path("hashtags")) {
            tags.add(TagSource.counted(tag.path("text").textValue()));
        }
        return tags;
    }

    @Test
    void theSameSeedGivesTheSameTweetsInAnyOrder() {
        TweetText again = new TweetText(1, 100, START_MS);
        String late = text(again, 900);
        assertThat(text(again, 3)).isEqualTo(text(tweets, 3));
        assertThat(text(tweets, 900)).isEqualTo(late);
        assertThat(text(new TweetText(2, 100, START_MS), 3)).isNotEqualTo(text(tweets, 3));
    }

    @Test
    void trendsRiseAndFall() {
        Map<Integer, Map<String, Integer>> minutes = new HashMap<>();
        for (int i = 0; i < 120_000; i++) {
            for (String tag : tweets.counted(i)) {
                minutes.computeIfAbsent(i / 6_000, absent -> new HashMap<>()).merge(tag, 1, Integer::sum);
            }
        }
        List<String> firsts = new ArrayList<>();
        for (int minute : List.of(4, 9, 14, 19)) {
            firsts.add(minutes.get(minute).entrySet().stream()
                    .max(Map.Entry.comparingByValue())
                    .orElseThrow()
                    .getKey());
        }
        assertThat(firsts).doesNotHaveDuplicates();
    }
}
