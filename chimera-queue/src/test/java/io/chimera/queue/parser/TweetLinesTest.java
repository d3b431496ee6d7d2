package io.chimera.queue.parser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.api.spi.Chunk;
import io.chimera.common.metrics.AllocatedBytes;
import io.chimera.jni.scan.TweetLines;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The search with vector instructions gives the same result as the parser without them. */
final class TweetLinesTest {
    private static final String PLAIN = "{\"text\":\"hi\",\"entities\":{\"hashtags\":[],\"urls\":[]}}\n";

    @BeforeAll
    static void skipWhereItIsNotAvailable() {
        assumeTrue(TweetLines.isAvailable(), TweetLines.unavailabilityCause());
    }

    /** Complete, truncated, corrupted and empty lines, and decoys of tags; some without a line feed. */
    private static byte[] lines(Random random) {
        RandomTweets tweets = new RandomTweets(random);
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(60); i >= 0; i--) {
            StringBuilder line = new StringBuilder(random.nextInt(3) > 0 ? PLAIN.trim() : tweets.next());
            switch (random.nextInt(12)) {
                case 0 -> line.setLength(random.nextInt(line.length()));
                case 1 -> line.setCharAt(random.nextInt(line.length()), "{}[]\",:\\x 0".charAt(random.nextInt(11)));
                case 2 -> line.setLength(0);
                case 3 -> line.append("\t ");
                case 4 -> line.insert(0, " \r");
                default -> {}
            }
            text.append(line).append(random.nextInt(4) == 0 ? "\r\n" : "\n");
        }
        text.setLength(text.length() - random.nextInt(2));
        return text.toString().getBytes(UTF_8);
    }

    @Test
    void findsWhatTheSearchInJavaFinds() {
        for (int seed = 0; seed < 5_000; seed++) {
            byte[] text = lines(new Random(seed));
            RecordingSink java = RecordingSink.of(new TweetParser(false), text, 1);
            RecordingSink vectors = RecordingSink.of(new TweetParser(true), text, 1);
            assertThat(vectors.rejects).as("seed %d", seed).isEqualTo(java.rejects);
            assertThat(vectors.points).as("seed %d", seed).isEqualTo(java.points);

            RecordingSink pieces = new RecordingSink();
            Random cuts = new Random(seed);
            new ChunkFeeder(cuts).feed(new TweetParser(true), pieces, text, 1 + cuts.nextInt(2_000), true);
            assertThat(pieces.rejects).as("seed %d", seed).isEqualTo(java.rejects);
            assertThat(pieces.points).as("seed %d", seed).isEqualTo(java.points);
        }
    }

    @Test
    void saysWhereItStopped() {
        byte[] text = ("xx" + PLAIN + "\n" + PLAIN + "{\"hashtags\":[1]}\n" + PLAIN + "{").getBytes(UTF_8);
        int[] results = new int[TweetLines.RESULTS];
        TweetLines.next(text, 2, text.length, 1_000, results);
        int start = 2 + 2 * PLAIN.length() + 1;
        assertThat(results).containsExactly(start, start + 16, 3);
        TweetLines.next(text, start + 17, text.length, 1_000, results);
        assertThat(results).containsExactly(text.length - 1, text.length, 1);
    }

    @Test
    void stopsAtALineThatIsTooLong() {
        byte[] text = (PLAIN + PLAIN).getBytes(UTF_8);
        int[] results = new int[TweetLines.RESULTS];
        TweetLines.next(text, 0, text.length, PLAIN.length() - 2, results);
        assertThat(results).containsExactly(0, PLAIN.length() - 1, 0);
        TweetLines.next(text, 0, text.length, PLAIN.length() - 1, results);
        assertThat(results).containsExactly(text.length, text.length, 2);
    }

    @Test
    void allocatesNothing() {
        byte[] text = PLAIN.repeat(100).getBytes(UTF_8);
        TweetParser parser = new TweetParser(true);
        CountingSink sink = new CountingSink();
        Chunk chunk = new Chunk();
        assertThat(AllocatedBytes.of(() -> parser.parse(chunk.wrap(text, 0, text.length, false), sink)))
                .isZero();
    }
}
