package io.chimera.dataset.format.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import io.chimera.common.metrics.AllocatedBytes;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.EventReader;
import io.chimera.dataset.format.ObjectBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reading good lines allocates nothing: an endless object is read piece by piece. */
final class LineAllocationTest {
    /** Object that repeats a text. */
    private static final class Endless implements ObjectBytes {
        private final byte[] text;

        Endless(String text) {
            this.text = text.getBytes(UTF_8);
        }

        @Override
        public String path() {
            return "endless";
        }

        @Override
        public long length() {
            return Long.MAX_VALUE / 2;
        }

        @Override
        public int read(long offset, ByteBuffer into) {
            int at = (int) (offset % text.length);
            int count = Math.min(Math.min(into.remaining(), text.length - at), 4 << 10);
            into.put(text, at, count);
            return count;
        }
    }

    /** Sink that counts and adds up. */
    private static final class Counting implements PointSink {
        private long points;
        private long sum;

        @Override
        public boolean begin(int textLength) {
            return true;
        }

        @Override
        public void metric(byte[] bytes, int offset, int length) {
            sum += length;
        }

        @Override
        public void tag(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
            sum += valueLength;
        }

        @Override
        public void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits) {
            sum += bits;
        }

        @Override
        public void textField(
                byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
            sum += valueLength;
        }

        @Override
        public void time(long timeNs) {
            sum += timeNs;
        }

        @Override
        public int end() {
            points++;
            return OK;
        }

        @Override
        public void reject(byte[] bytes, int offset, int length, long line, String reason) {
            throw new AssertionError(reason);
        }

        @Override
        public long arrivalTimeNs() {
            return 0;
        }
    }

    private static void assertAllocatesNothing(TextFormat format, String text) throws IOException {
        Endless object = new Endless(text);
        Counting sink = new Counting();
        try (EventReader reader = format.open(object, new ByteRange(0, object.length()))) {
            assertThat(AllocatedBytes.of(() -> {
                        try {
                            reader.read(sink);
                        } catch (IOException e) {
                            throw new UncheckedIOException(e);
                        }
                    }))
                    .isZero();
        }
        assertThat(sink.points).isGreaterThan(100_000);
        assertThat(sink.sum).isNotZero();
    }

    @Test
    void ofPlainLines() throws Exception {
        assertAllocatesNothing(
                TextFormat.lines(TextOptions.DEFAULT, WordParser::new, 1), "cpu 17\nmemory 123456\r\n".repeat(900));
    }

    @Test
    void ofLinesWithQuotes() throws Exception {
        assertAllocatesNothing(
                TextFormat.lines(TextOptions.DEFAULT, WordParser::new, 1), "cpu 17\n\"a b\" 123456\n".repeat(900));
    }

    @Test
    void ofCsv() throws Exception {
        RowMapping mapping = new RowMapping(
                MetricName.column("1"),
                new TimeColumn("2", TimeFormat.of("ms", ZoneOffset.UTC)),
                List.of(new TagColumn("a", "3")),
                List.of(new FieldColumn("v", "4", FieldType.DOUBLE), new FieldColumn("n", "5", FieldType.LONG)));
        assertAllocatesNothing(
                TextFormat.csv(TextOptions.DEFAULT, new CsvOptions(',', '"', false), mapping),
                "cpu,1700000000000,\"a\"\"b\",1.25,77\n".repeat(900));
    }
}
