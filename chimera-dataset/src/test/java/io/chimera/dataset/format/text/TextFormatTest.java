package io.chimera.dataset.format.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.EventReader;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.MemoryObject;
import io.chimera.dataset.format.PointTextSink;
import io.chimera.dataset.format.PointTextSink.Reject;
import io.chimera.dataset.format.codec.CodecLimits;
import io.chimera.dataset.format.codec.Compression;
import io.chimera.dataset.format.codec.Packed;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class TextFormatTest {
    private static final TextFormat WORDS = TextFormat.lines(TextOptions.DEFAULT, WordParser::new, 1);

    private static PointTextSink read(TextFormat format, String path, byte[] bytes) throws Exception {
        return PointTextSink.of(format, new MemoryObject(path, bytes), new ByteRange(0, bytes.length));
    }

    private static PointTextSink read(TextFormat format, String text) throws Exception {
        return read(format, "a", text.getBytes(UTF_8));
    }

    private static TextOptions options(int lineBytesMax, boolean quotedLines) {
        return new TextOptions(Compression.PLAIN, CodecLimits.DEFAULT, lineBytesMax, quotedLines);
    }

    @Test
    void readsLinesAndCountsThem() throws Exception {
        PointTextSink sink = read(WORDS, "a 1\r\n\nbad\nb 2");
        assertThat(sink.points).containsExactly("a v=1(LONG) arrival", "b v=2(LONG) arrival");
        assertThat(sink.rejects).containsExactly(new Reject("bad", 3, "no number"));
    }

    @Test
    void ownsTheLinesWhoseLineFeedBeforeIsInTheSplit() throws Exception {
        MemoryObject object = new MemoryObject("a", "a 1\nb 2\nc 3\n".getBytes(UTF_8));
        assertThat(PointTextSink.of(WORDS, object, new ByteRange(0, 3)).points).hasSize(1);
        assertThat(PointTextSink.of(WORDS, object, new ByteRange(0, 4)).points).hasSize(2);
        assertThat(PointTextSink.of(WORDS, object, new ByteRange(3, 4)).points).containsExactly("b v=2(LONG) arrival");
        assertThat(PointTextSink.of(WORDS, object, new ByteRange(4, 7)).points).isEmpty();
        assertThat(PointTextSink.of(WORDS, object, new ByteRange(11, 12)).points)
                .isEmpty();
    }

    @Test
    void skipsAByteOrderMark() throws Exception {
        assertThat(read(WORDS, "\uFEFFa 1\n").points).containsExactly("a v=1(LONG) arrival");
    }

    @Test
    void rejectsALongLineWithoutKeepingIt() throws Exception {
        byte[] text = new byte[50 << 20];
        Arrays.fill(text, (byte) 'x');
        System.arraycopy("a 1\n".getBytes(UTF_8), 0, text, 0, 4);
        System.arraycopy("\nb 2\n".getBytes(UTF_8), 0, text, text.length - 5, 5);
        PointTextSink sink = read(WORDS, "a", text);
        assertThat(sink.points).containsExactly("a v=1(LONG) arrival", "b v=2(LONG) arrival");
        assertThat(sink.rejects).singleElement().satisfies(reject -> {
            assertThat(reject.line()).isEqualTo(2);
            assertThat(reject.text()).hasSize(1024);
            assertThat(reject.reason()).contains("4194304");
        });
    }

    @Test
    void limitsTheLengthWithoutTheLineFeed() throws Exception {
        TextFormat format = TextFormat.lines(options(4, false), WordParser::new, 1);
        PointTextSink sink = read(format, "ab 1\nabc 1\nab 2\nabc 2");
        assertThat(sink.points).containsExactly("ab v=1(LONG) arrival", "ab v=2(LONG) arrival");
        assertThat(sink.rejects).extracting(Reject::line).containsExactly(2L, 4L);
    }

    @Test
    void anUnclosedQuoteCostsOneLine() throws Exception {
        String text = "a 1\n\"x\nb 2\n\"\nc 3\n";
        assertThat(read(WORDS, text).points)
                .containsExactly("a v=1(LONG) arrival", "b v=2(LONG) arrival", "c v=3(LONG) arrival");
        TextFormat quoted = TextFormat.lines(options(1000, true), WordParser::new, 1);
        assertThat(read(quoted, text).points).hasSize(2);
        assertThat(read(quoted, "\"x\ny\" 1\n").points).containsExactly("\"x\ny\" v=1(LONG) arrival");
        TextFormat limited = TextFormat.lines(options(6, true), WordParser::new, 1);
        assertThat(read(limited, "\"x\na 1\nb 2\n").points)
                .containsExactly("a v=1(LONG) arrival", "b v=2(LONG) arrival");
    }

    @Test
    void quotedLinesMakeTheObjectOneSplit() throws Exception {
        MemoryObject object = new MemoryObject("a", new byte[100]);
        assertThat(TextFormat.lines(options(10, true), WordParser::new, 1).splits(object, 1))
                .hasSize(1);
        assertThat(TextFormat.lines(options(10, false), WordParser::new, 1).splits(object, 1))
                .hasSize(100);
    }

    @Test
    void keepsThePointsBeforeADefect() throws Exception {
        byte[] packed = Packed.frame(
                Compression.GZIP, TextSamples.words(new Random(1), 100_000).getBytes(UTF_8));
        byte[] truncated = Arrays.copyOf(packed, packed.length / 2);
        PointTextSink sink = new PointTextSink();
        assertThatThrownBy(() ->
                        sink.read(WORDS, new MemoryObject("b/a.gz", truncated), new ByteRange(0, truncated.length)))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("b/a.gz, offset " + truncated.length);
        assertThat(sink.points).hasSizeGreaterThan(10_000);
    }

    @Test
    void failsWhenTheParserGivesUp() {
        Parser abandoning = new Parser() {
            @Override
            public boolean parse(Chunk chunk, PointSink sink) {
                chunk.abandon();
                return true;
            }
        };
        TextFormat format = TextFormat.lines(TextOptions.DEFAULT, () -> abandoning, 1);
        assertThatThrownBy(() -> read(format, "a 1\n"))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("a, line 1");
    }

    @Test
    void closesOnce() throws Exception {
        MemoryObject object = new MemoryObject("a.zst", Packed.frame(Compression.ZSTD, new byte[10]));
        EventReader reader = WORDS.open(object, new ByteRange(0, object.length()));
        reader.close();
        reader.close();
    }

    @Test
    void passesTheUnitOfTime() throws Exception {
        Parser parser = new Parser() {
            @Override
            public boolean parse(Chunk chunk, PointSink sink) {
                sink.reject(chunk.bytes(), 0, 0, chunk.unitNs(), "unit");
                chunk.consumedTo(chunk.limit(), 1);
                return true;
            }
        };
        TextFormat format = TextFormat.lines(TextOptions.DEFAULT, () -> parser, 1000);
        assertThat(read(format, "x\n").rejects).extracting(Reject::line).containsExactly(1000L);
    }

    @Test
    void checksOptions() {
        assertThatThrownBy(() -> options(0, false)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TextFormat.jsonLines(options(10, true), TextSamples.MAPPING))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new CsvOptions(',', ',', true)).isInstanceOf(IllegalArgumentException.class);
    }
}
