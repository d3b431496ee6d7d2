package io.chimera.dataset.format.text;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.MemoryObject;
import io.chimera.dataset.format.PointTextSink;
import io.chimera.dataset.format.codec.CodecLimits;
import io.chimera.dataset.format.codec.Compression;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Arbitrary bytes cause no exception, and the same points and rejects in splits, in pieces, and as a whole. */
final class TextFuzz {
    private static TextOptions options(boolean quotedLines) {
        return new TextOptions(Compression.PLAIN, CodecLimits.DEFAULT, 60, quotedLines);
    }

    @FuzzTest(maxDuration = "1m")
    void takesAnyLines(byte[] text) throws Exception {
        check(TextFormat.lines(options(false), WordParser::new, 1), text);
        check(TextFormat.lines(options(true), WordParser::new, 1), text);
    }

    @FuzzTest(maxDuration = "1m")
    void takesAnyCsv(byte[] text) throws Exception {
        byte[] headed = ("m,ignored,t,h,v,x\n" + new String(text, StandardCharsets.ISO_8859_1))
                .getBytes(StandardCharsets.ISO_8859_1);
        check(TextFormat.csv(options(false), CsvOptions.DEFAULT, TextSamples.MAPPING), headed);
        check(TextFormat.csv(options(true), CsvOptions.DEFAULT, TextSamples.MAPPING), headed);
    }

    @FuzzTest(maxDuration = "1m")
    void takesAnyHeader(byte[] text) throws Exception {
        try {
            check(TextFormat.csv(options(false), CsvOptions.DEFAULT, TextSamples.MAPPING), text);
        } catch (FormatException e) {
            // the header does not fit
        }
    }

    @FuzzTest(maxDuration = "1m")
    void takesAnyJson(byte[] text) throws Exception {
        check(TextFormat.jsonLines(options(false), TextSamples.MAPPING), text);
    }

    private static void check(TextFormat format, byte[] text) throws Exception {
        if (text.length == 0) {
            return;
        }
        PointTextSink whole = PointTextSink.of(format, new MemoryObject("a", text), new ByteRange(0, text.length));
        MemoryObject object = new MemoryObject("a", text, new Random(text.length), 9);
        PointTextSink splits = new PointTextSink();
        for (ByteRange range : format.splits(object, 1 + text.length / 4)) {
            splits.read(format, object, range);
        }
        if (!whole.points.equals(splits.points) || !whole.rejectedTexts().equals(splits.rejectedTexts())) {
            throw new AssertionError("The splits make a difference.");
        }
    }
}
