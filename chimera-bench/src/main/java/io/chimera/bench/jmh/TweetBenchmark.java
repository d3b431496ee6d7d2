package io.chimera.bench.jmh;

import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.PointSink;
import io.chimera.apps.trending.TweetText;
import io.chimera.queue.parser.TweetParser;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Measures tweets to hashtags: chunks of 64 KiB are copied from main memory into an array, as a connection does, and
 * parsed there. The limit is the copy alone.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TweetBenchmark {
    /** Number of tweets: 55 MB exceed the caches. */
    private static final int TWEETS = 20_000;

    private static final int READ_BYTES = 64 << 10;

    private final byte[] text = text();
    private final byte[] bytes = new byte[2 * READ_BYTES];
    private final Chunk chunk = new Chunk();
    private final TweetParser parser = new TweetParser();
    private final Points points = new Points();

    private static byte[] text() {
        TweetText tweets = new TweetText(1, 1_000, 1_409_318_650_332L);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StringBuilder line = new StringBuilder();
        for (int tweet = 0; tweet < TWEETS; tweet++) {
            line.setLength(0);
            tweets.append(tweet, line);
            out.writeBytes(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
        }
        return out.toByteArray();
    }

    /** Copies the text. */
    @Benchmark
    @OperationsPerInvocation(TWEETS)
    public int copy() {
        int sum = 0;
        for (int offset = 0; offset < text.length; offset += READ_BYTES) {
            int length = Math.min(READ_BYTES, text.length - offset);
            System.arraycopy(text, offset, bytes, 0, length);
            sum += bytes[length - 1];
        }
        return sum;
    }

    /** Copies and parses the text. */
    @Benchmark
    @OperationsPerInvocation(TWEETS)
    public long parse() {
        int rest = 0;
        for (int offset = 0; offset < text.length; offset += READ_BYTES) {
            int length = Math.min(READ_BYTES, text.length - offset);
            System.arraycopy(text, offset, bytes, rest, length);
            parser.parse(chunk.wrap(bytes, 0, rest + length, false), points);
            rest = chunk.limit() - chunk.offset();
            System.arraycopy(bytes, chunk.offset(), bytes, 0, rest);
        }
        return points.count;
    }

    /** Knows all series and counts points; later stages have their own benchmarks. */
    private static final class Points implements PointSink {
        private long count;

        @Override
        public boolean begin(int textLength) {
            return true;
        }

        @Override
        public boolean series(byte[] bytes, int offset, int length) {
            return true;
        }

        @Override
        public void metric(byte[] bytes, int offset, int length) {
            // the series is known
        }

        @Override
        public void tag(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
            // the series is known
        }

        @Override
        public void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits) {
            count += bits;
        }

        @Override
        public void textField(
                byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
            throw new IllegalStateException("A hashtag has no text field.");
        }

        @Override
        public void time(long timeNs) {
            // unused
        }

        @Override
        public int end() {
            return OK;
        }

        @Override
        public void reject(byte[] bytes, int offset, int length, long line, String reason) {
            throw new IllegalStateException("A valid tweet was rejected: " + reason);
        }

        @Override
        public long arrivalTimeNs() {
            return 0;
        }
    }
}
