package io.chimera.bench.peers.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.apps.trending.TweetText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TweetReaderTest {
    private static final int TWEETS = 3_000;

    @TempDir
    Path folder;

    @Test
    void findsWhatTheTweetsWereMadeOf() throws IOException {
        TweetText text = new TweetText(3, 100, 1_409_318_650_332L);
        StringBuilder lines = new StringBuilder();
        List<List<String>> wanted = new ArrayList<>();
        for (int tweet = 0; tweet < TWEETS; tweet++) {
            text.append(tweet, lines);
            lines.append('\n');
            wanted.add(text.counted(tweet));
        }
        TweetInput input = TweetInput.open(Files.writeString(folder.resolve("tweets"), lines, UTF_8));
        TweetReader reader = new TweetReader();

        assertThat(input.tweets()).isEqualTo(TWEETS);
        for (int tweet = 0; tweet < TWEETS; tweet++) {
            assertThat(reader.tags(input.tweet(tweet), 0, input.length(tweet))).isEqualTo(wanted.get(tweet));
        }
    }
}
