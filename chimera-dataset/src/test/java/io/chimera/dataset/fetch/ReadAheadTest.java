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
import java.util.concurrent.ConcurrentLinkedQueue;
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

    private ReadAhead reader(ReadAhead.Successor successor) {
        return new ReadAhead(new Content(), object, SPLIT, DEPTH, reception, successor);
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
        try (ReadAhead reader = reader(ReadAhead.Successor.NONE)) {
            reader.request(1);
            reader.request(2);
            reader.request(100);
            assertRead(reader, 300_000, 300_001);
        }

        assertThat(requested.size()).isLessThanOrEqualTo(4);
    }
}
