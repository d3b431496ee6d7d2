package io.chimera.dataset.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.Retries;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A split from 300,000 to 400,000 of an object with a million bytes, in ranges of 10,000. */
final class ReadAheadTest {
    private static final int LENGTH = 1_000_000;
    private static final ByteRange SPLIT = new ByteRange(300_000, 400_000);
    private static final ReadAhead.Depth DEPTH = new ReadAhead.Depth(10_000, 4);

    private final byte[] content = new byte[LENGTH];
    private final DataObject object = new DataObject("o", LENGTH, ObjectVersion.UNKNOWN);
    private final ConcurrentLinkedQueue<Long> requested = new ConcurrentLinkedQueue<>();
    private final ManualClock clock = new ManualClock();
    private final Reception reception =
            new Reception("receive", 2, new Retries(Retries.Limits.DEFAULT, clock, () -> 1L, clock::advance));

    ReadAheadTest() {
        new Random(20261129).nextBytes(content);
    }

    @AfterEach
    void close() {
        reception.close();
    }

    private final class Content implements DataSource {
        @Override
        public String place() {
            return "memory";
        }

        @Override
        public List<DataObject> list(String pattern) {
            return List.of(object);
        }

        @Override
        public void read(DataObject of, long offset, ByteBuffer into) {
            requested.add(offset);
            into.put(content, (int) offset, into.remaining());
        }

        @Override
        public void close() {}
    }

    /** Runs each request at once, so that the requests of a reader are known after each call. */
    private static final class ImmediateThreads extends AbstractExecutorService {
        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }

    private ReadAhead reader(ReadAhead.Successor successor) {
        ReadAhead reader = new ReadAhead(new Content(), object, SPLIT, DEPTH, reception);
        reader.follow(successor);
        return reader;
    }

    private ReadAhead immediate(ByteRange split) {
        Retries retries = new Retries(Retries.Limits.DEFAULT, clock, () -> 1L, clock::advance);
        return new ReadAhead(new Content(), object, split, DEPTH, new Reception(new ImmediateThreads(), retries));
    }

    private void assertRead(ReadAhead reader, int from, int to) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(to - from);
        while (into.hasRemaining()) {
            reader.read(from + into.position(), into);
        }
        assertThat(into.array()).isEqualTo(Arrays.copyOfRange(content, from, to));
    }

    @Test
    void anyReadsHaveTheBytesOfTheObject() throws IOException {
        Random random = new Random(7);
        try (ReadAhead reader = reader(ReadAhead.Successor.NONE)) {
            for (int i = 0; i < 200; i++) {
                int from = random.nextInt(LENGTH);
                assertRead(reader, from, Math.min(LENGTH, from + 1 + random.nextInt(30_000)));
            }
        }
    }

    /** A reader reads the header of the object first. */
    @Test
    void aReadBeforeTheSplitKeepsTheRequestedRanges() throws IOException {
        try (ReadAhead reader = reader(ReadAhead.Successor.NONE)) {
            reader.request(4);
            assertRead(reader, 0, 100);
            assertRead(reader, 100, 200);
            assertRead(reader, 300_000, 400_000);
        }

        assertThat(requested)
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                Stream.of(0L),
                                Stream.iterate(300_000L, at -> at + 10_000).limit(10))
                        .toList());
    }

    @Test
    void theSuccessorGetsTheRangesThatAreLeft() throws IOException {
        List<Integer> left = new ArrayList<>();
        try (ReadAhead reader = reader(left::add)) {
            assertRead(reader, 300_000, 360_000);
            assertThat(left).isEmpty();
            assertRead(reader, 360_000, 400_000);
        }

        assertThat(left).containsExactly(1, 2, 3, 4);
    }

    @Test
    void noMoreRangesAreUnderWayThanAskedFor() throws IOException {
        try (ReadAhead reader = immediate(SPLIT)) {
            reader.request(1);
            assertThat(requested).containsExactly(300_000L);
            reader.request(2);
            assertThat(requested).containsExactly(300_000L, 310_000L);
            reader.request(100);
            assertThat(requested).as("the depth").hasSize(4);
            assertRead(reader, 300_000, 300_001);
            assertThat(requested).as("no range is read to its end").hasSize(4);
            assertRead(reader, 300_001, 310_000);
        }

        assertThat(requested).containsExactly(300_000L, 310_000L, 320_000L, 330_000L, 340_000L);
    }

    /** The reader also reads the rest of an event that ends after the split. */
    @Test
    void aReaderAndItsSuccessorHaveTheMemoryOfOne() throws IOException {
        long depthBytes = (long) DEPTH.ranges() * DEPTH.rangeLength();
        try (ReadAhead reader = immediate(SPLIT);
                ReadAhead next = immediate(new ByteRange(400_000, 500_000))) {
            reader.follow(next::request);
            for (int at = 300_000; at < 400_000; at += 2_500) {
                assertRead(reader, at, at + 2_500);
                assertThat(reader.memory() + next.memory()).isLessThanOrEqualTo(depthBytes);
            }
            assertThat(next.memory()).as("nothing is left to the first reader").isEqualTo(depthBytes);
            assertRead(reader, 400_000, 400_100);
            assertThat(reader.memory()).isLessThanOrEqualTo(64 << 10);
        }
    }

    @Test
    void aReaderWithoutASuccessorKeepsItsBuffers() throws IOException {
        try (ReadAhead reader = immediate(SPLIT)) {
            assertRead(reader, 300_000, 400_000);

            assertThat(reader.memory()).isEqualTo((long) DEPTH.ranges() * DEPTH.rangeLength());
        }
    }
}
