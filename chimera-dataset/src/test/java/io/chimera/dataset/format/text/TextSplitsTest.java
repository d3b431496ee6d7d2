package io.chimera.dataset.format.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.format.MemoryObject;
import io.chimera.dataset.format.PointTextSink;
import io.chimera.dataset.format.codec.CodecLimits;
import io.chimera.dataset.format.codec.Compression;
import io.chimera.dataset.format.codec.Packed;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever the cuts and the pieces: the splits have the events of the whole object, in order, each once. */
final class TextSplitsTest {
    private static final int ROUNDS = 15;

    private static TextOptions options(int lineBytesMax, boolean quotedLines) {
        return new TextOptions(null, CodecLimits.DEFAULT, lineBytesMax, quotedLines);
    }

    @ParameterizedTest
    @EnumSource
    void linesForAParser(Compression compression) throws Exception {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            TextOptions options = options(1 + random.nextInt(150), false);
            String text = TextSamples.words(random, 1 + random.nextInt(30));
            check(TextFormat.lines(options, WordParser::new, 1), compression, text, random, seed);
        }
    }

    @ParameterizedTest
    @EnumSource
    void csvWithHeader(Compression compression) throws Exception {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            TextOptions options = options(100 + random.nextInt(150), false);
            String text = TextSamples.csv(random, random.nextInt(30), false);
            TextFormat format = TextFormat.csv(options, CsvOptions.DEFAULT, TextSamples.MAPPING);
            check(format, compression, text, random, seed);
        }
    }

    @ParameterizedTest
    @EnumSource
    void csvWithQuotedLines(Compression compression) throws Exception {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            TextOptions options = options(100 + random.nextInt(150), true);
            String text = TextSamples.csv(random, random.nextInt(30), true);
            TextFormat format = TextFormat.csv(options, CsvOptions.DEFAULT, TextSamples.MAPPING);
            check(format, compression, text, random, seed);
        }
    }

    @ParameterizedTest
    @EnumSource
    void jsonLines(Compression compression) throws Exception {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            String text = TextSamples.json(random, 1 + random.nextInt(30));
            TextFormat format = TextFormat.jsonLines(options(100 + random.nextInt(150), false), TextSamples.MAPPING);
            check(format, compression, text, random, seed);
        }
    }

    private static void check(EventFormat format, Compression compression, String text, Random random, int seed)
            throws Exception {
        byte[] content = text.getBytes(UTF_8);
        byte[] packed = Packed.frames(compression, content, random, 1 + random.nextInt(content.length));
        String path = "a" + compression.suffix();
        PointTextSink whole = PointTextSink.of(format, new MemoryObject(path, packed), new ByteRange(0, packed.length));
        for (int target : new int[] {1, 2, 1 + random.nextInt(packed.length), packed.length, Integer.MAX_VALUE}) {
            MemoryObject object = new MemoryObject(path, packed, random, 1 + random.nextInt(200));
            List<ByteRange> ranges = format.splits(object, target);
            PointTextSink splits = new PointTextSink();
            PointTextSink again = new PointTextSink();
            for (ByteRange range : ranges) {
                splits.read(format, object, range);
                again.read(format, object, range);
            }
            assertThat(splits.points).as("seed %s, target %s", seed, target).isEqualTo(whole.points);
            assertThat(splits.rejectedTexts())
                    .as("seed %s, target %s", seed, target)
                    .isEqualTo(whole.rejectedTexts());
            assertThat(again.points).isEqualTo(splits.points);
            assertThat(again.rejects).isEqualTo(splits.rejects);
        }
    }
}
