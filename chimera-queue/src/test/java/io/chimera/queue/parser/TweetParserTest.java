package io.chimera.queue.parser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.DataPoint;
import io.chimera.api.spi.Chunk;
import io.chimera.common.metrics.AllocatedBytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class TweetParserTest {
    private static final String PLAIN =
            "{\"text\":\"hi\",\"entities\":{\"hashtags\":[],\"urls\":[]},\"timestamp_ms\":\"1409318650332\"}";

    private static String tags(String... texts) {
        List<String> elements = new ArrayList<>();
        for (String text : texts) {
            elements.add("{\"text\":\"" + text + "\",\"indices\":[1,2]}");
        }
        return "{\"hashtags\":[" + String.join(",", elements) + "]}";
    }

    private static List<String> parsed(String text) {
        RecordingSink sink = RecordingSink.of(new TweetParser(), text);
        assertThat(sink.rejects).isEmpty();
        return tagsOf(sink.points);
    }

    private static List<String> tagsOf(List<DataPoint> points) {
        return points.stream()
                .map(point -> point.key().tags().asMap().get("tag"))
                .toList();
    }

    private static RecordingSink.Reject rejected(String text) {
        RecordingSink sink = RecordingSink.of(new TweetParser(), text);
        assertThat(sink.points).isEmpty();
        assertThat(sink.rejects).hasSize(1);
        return sink.rejects.get(0);
    }

    @Test
    void handsOnAPointPerHashtag() {
        RecordingSink sink = RecordingSink.of(
                new TweetParser(),
                "{\"created_at\":\"Wed Aug 27 13:08:45 +0000 2008\",\"timestamp_ms\":\"1409318650332\",\"entities\":"
                        + tags("Goal", "goal") + "}\r\n" + PLAIN + "\n");

        assertThat(sink.points).hasSize(2);
        assertThat(sink.points.get(0).key().metric()).isEqualTo("hashtag");
        assertThat(sink.points.get(0).key().tags().asMap()).isEqualTo(Map.of("tag", "goal"));
        assertThat(sink.points.get(0).fields()).isEqualTo(Map.of("count", 1L));
        assertThat(sink.points.get(0).timeNs()).isEqualTo(1_409_318_650_332_000_000L);
        assertThat(sink.points.get(1)).isEqualTo(sink.points.get(0));
    }

    @Test
    void takesTheTimeFromTheDateWhereThereAreNoMilliseconds() {
        String dated = "{\"created_at\":\"Wed Aug 27 13:08:45 +0000 2008\",\"entities\":" + tags("a") + "}";
        assertThat(RecordingSink.of(new TweetParser(), dated).points.get(0).timeNs())
                .isEqualTo(1_219_842_525_000_000_000L);
        assertThat(RecordingSink.of(new TweetParser(), "{\"entities\":" + tags("a") + "}")
                        .points
                        .get(0)
                        .timeNs())
                .isEqualTo(RecordingSink.ARRIVAL_NS);
    }

    @Test
    void rejectsTimesThatAreNone() {
        assertThat(rejected("{\"timestamp_ms\":\"soon\",\"entities\":" + tags("a") + "}")
                        .reason())
                .contains("timestamp_ms");
        assertThat(rejected("{\"created_at\":\"yesterday\",\"entities\":" + tags("a") + "}")
                        .reason())
                .contains("created_at");
        assertThat(rejected("{\"timestamp_ms\":-1,\"entities\":" + tags("a", "b") + "}")
                        .reason())
                .contains("1970");
    }

    @Test
    void countsWhatIsRetweetedOnceAndNotWhatIsQuoted() {
        assertThat(parsed(
                        "{\"retweeted_status\":{\"entities\":" + tags("a", "b") + "},\"entities\":" + tags("a") + "}"))
                .containsExactly("a", "b");
        assertThat(parsed("{\"quoted_status\":{\"entities\":" + tags("q") + "},\"entities\":" + tags("a") + "}"))
                .containsExactly("a");
        assertThat(parsed("{\"retweeted_status\":{\"quoted_status\":{\"entities\":" + tags("q") + "}},\"entities\":"
                        + tags("a") + "}"))
                .isEmpty();
        assertThat(parsed("{\"retweeted_status\":null,\"entities\":" + tags("a") + "}"))
                .containsExactly("a");
    }

    @Test
    void extendedEntitiesStandInForTheOthers() {
        assertThat(parsed("{\"extended_tweet\":{\"entities\":" + tags("a", "b") + "},\"entities\":" + tags("a") + "}"))
                .containsExactly("a", "b");
        assertThat(parsed("{\"entities\":" + tags("a") + ",\"retweeted_status\":{\"entities\":" + tags("b")
                        + ",\"extended_tweet\":{\"full_text\":\"\",\"entities\":" + tags("b", "c") + "}}}"))
                .containsExactly("b", "c");
    }

    @Test
    void readsEscapesAndSurrogatesAndPutsThemInLowerCase() {
        assertThat(parsed("{\"entities\":" + tags("\\u00c4rger", "ÉTÉ", "\\ud842\\uDFB7X", "𠮷X", "a\\\"B") + "}"))
                .containsExactly("ärger", "été", "𠮷x", "𠮷x", "a\"b");
        assertThat(parsed("{\"entities\":" + tags("\\ud842", "") + "}")).containsExactly("\uFFFD");
    }

    @Test
    void findsKeysHoweverTheyAreWritten() {
        assertThat(parsed("{\"entities\" : { \"hashtags\" \t: [ {\"text\" : \"a\"} ] } }"))
                .containsExactly("a");
        assertThat(parsed("{\"entities\":{\"\\u0068asht\\u0061g\\u0073\":[{\"te\\u0078t\":\"a\"}]}}"))
                .containsExactly("a");
        assertThat(parsed(
                        "{\"entities\":{\"hashtags\":[]},\"\\u0065ntities\":{\"hashta\\u0067s\":[{\"text\":\"a\"}]}}"))
                .containsExactly("a");
        assertThat(parsed("{\"text\":\"\\\"hashtags\\\":[{\\\"text\\\":\\\"no\\\"}]\",\"entities\":{\"hashtags\":[]}}"))
                .isEmpty();
    }

    @Test
    void theLastOfTwoKeysCounts() {
        assertThat(parsed("{\"entities\":" + tags("a")
                        + ",\"entities\":{\"hashtags\":[{\"text\":\"b\",\"text\":\"c\"}]}}"))
                .containsExactly("c");
        assertThat(parsed("{\"entities\":" + tags("a") + ",\"entities\":null}")).isEmpty();
    }

    @Test
    void rejectsWhatIsCutOffWithItsLineAndLosesNoOther() {
        String good = "{\"entities\":" + tags("a") + "}";
        String text = good + "\n" + good.substring(0, 30) + "\n" + PLAIN.substring(0, 40) + "\n\r\n" + good
                + "\nnothing\n" + good;
        RecordingSink sink = RecordingSink.of(new TweetParser(), text);

        assertThat(tagsOf(sink.points)).containsExactly("a", "a", "a");
        assertThat(sink.rejects.stream().map(RecordingSink.Reject::line)).containsExactly(2L, 3L, 6L);
        assertThat(sink.rejects.get(0).reason()).startsWith("invalid JSON: unexpected end");
        assertThat(sink.rejects.get(1).text()).isEqualTo(PLAIN.substring(0, 40));
        assertThat(rejected("[1]").reason()).isEqualTo(TweetTags.NO_OBJECT);
        assertThat(rejected(good + good).reason()).contains("after the end");
    }

    @Test
    void noticesWithoutEntitiesAreNoTweetsAndNotBad() {
        assertThat(parsed("{\"delete\":{\"status\":{\"id\":1}}}\n{\"limit\":{\"track\":5}}\n"))
                .isEmpty();
    }

    @Test
    void rejectsALineThatIsTooLongOnceAndGoesOnBehindIt() {
        String good = "{\"entities\":" + tags("a") + "}\n";
        byte[] text = (good + "{\"text\":\"" + "x".repeat(200_000) + "\"}\n" + good).getBytes(UTF_8);
        RecordingSink whole = RecordingSink.of(new TweetParser(), text, 1);
        assertThat(whole.rejects)
                .extracting(RecordingSink.Reject::reason)
                .containsExactly(ParseError.LINE_TOO_LONG.text());
        assertThat(whole.points).hasSize(2);

        RecordingSink pieces = new RecordingSink();
        ChunkFeeder feeder = new ChunkFeeder(new Random(1));
        feeder.feed(new TweetParser(), pieces, text, 10_000, true);
        assertThat(pieces.rejects).isEqualTo(whole.rejects);
        assertThat(pieces.points).isEqualTo(whole.points);
        assertThat(feeder.heldMax).isLessThanOrEqualTo(LineCursor.LENGTH_MAX);
    }

    @Test
    void comesToWhatATreeOfAllOfItSays() {
        for (int seed = 0; seed < 20_000; seed++) {
            String line = new RandomTweets(new Random(seed)).next();
            RecordingSink sink = RecordingSink.of(new TweetParser(), line);
            Optional<List<String>> tags = TweetOracle.tags(line.getBytes(UTF_8));
            assertThat(tags).as("seed %d: %s", seed, line).isPresent();
            assertThat(tagsOf(sink.points)).as("seed %d: %s", seed, line).isEqualTo(tags.orElseThrow());
            assertThat(sink.rejects).as("seed %d: %s", seed, line).isEmpty();
        }
    }

    @Test
    void neverTakesATagFromABrokenLineNorLosesOneOfAGoodLine() {
        for (int seed = 0; seed < 20_000; seed++) {
            Random random = new Random(seed);
            byte[] line = new RandomTweets(random).next().getBytes(UTF_8);
            if (random.nextBoolean()) {
                line = Arrays.copyOf(line, random.nextInt(line.length));
            } else {
                line[random.nextInt(line.length)] = (byte) "{}[]\",:\\x 0".charAt(random.nextInt(11));
            }
            TweetCheck.check(line);
        }
    }

    @Test
    void piecesAndFullRingsMakeNoDifference() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            RandomTweets tweets = new RandomTweets(random);
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 20; i++) {
                String line = tweets.next();
                text.append(random.nextInt(8) == 0 ? line.substring(0, random.nextInt(line.length())) : line)
                        .append(random.nextBoolean() ? "\n" : "\r\n");
            }
            byte[] bytes = text.toString().getBytes(UTF_8);
            RecordingSink whole = RecordingSink.of(new TweetParser(), bytes, 1);
            RecordingSink pieces = new RecordingSink();
            new ChunkFeeder(random).feed(new TweetParser(), pieces, bytes, 1 + random.nextInt(100), true);
            assertThat(pieces.points).as("seed %d", seed).isEqualTo(whole.points);
            assertThat(pieces.rejects).as("seed %d", seed).isEqualTo(whole.rejects);
            RecordingSink knowing = RecordingSink.knowing().take(new TweetParser(), bytes, 1);
            assertThat(knowing.written()).as("seed %d", seed).isEqualTo(whole.written());
        }
    }

    @Test
    void allocatesNothingForTweetsWithoutHashtags() {
        byte[] text = (PLAIN + "\n").repeat(100).getBytes(UTF_8);
        TweetParser parser = new TweetParser();
        CountingSink sink = new CountingSink();
        Chunk chunk = new Chunk();
        assertThat(AllocatedBytes.of(() -> {
                    parser.parse(chunk.wrap(text, 0, text.length, false), sink);
                }))
                .isZero();
        assertThat(sink.rejects).isZero();
    }
}
