package io.chimera.dataset.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class CopySourceTest {
    private static final int BLOCK = 1_000;
    private static final int LENGTH = 12_345;

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();
    private final MemoryFar far = new MemoryFar(LENGTH, "v1");
    private CopyStore store;
    private CopySource copies;

    @BeforeEach
    void open() throws IOException {
        store = store(1 << 30);
        copies = new CopySource(far, "", store, clock);
    }

    private CopyStore store(long maxBytes) throws IOException {
        return CopyStore.open(folder, new CopyLimits(maxBytes, Duration.ofDays(1), BLOCK), clock);
    }

    @AfterEach
    void close() throws IOException {
        copies.close();
        store.close();
    }

    private void assertRead(DataSource source, int offset, int length) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(length + 7).position(3).limit(3 + length);
        source.read(far.object(), offset, into);
        assertThat(into.hasRemaining()).isFalse();
        assertThat(Arrays.copyOfRange(into.array(), 3, 3 + length))
                .isEqualTo(Arrays.copyOfRange(far.content(), offset, offset + length));
    }

    @Test
    void anyRangeHasTheBytesOfTheFarSource() throws IOException {
        Random random = new Random(20261129);
        for (int i = 0; i < 500; i++) {
            int offset = random.nextInt(LENGTH - 1);
            int length = 1 + random.nextInt(Math.min(3_000, LENGTH - offset));
            assertRead(random.nextBoolean() ? copies : copies.streaming(), offset, length);
        }
        assertRead(copies, 0, LENGTH);
        far.taken();

        assertRead(copies, 0, LENGTH);
        assertRead(copies.streaming(), 17, LENGTH - 20);

        assertThat(far.taken()).isZero();
        assertThat(copies.totals().writtenBytes()).isEqualTo(LENGTH);
        assertThat(copies.copied(far.object(), 100, 5_100)).isEqualTo(5_000);
        assertThat(copies.missing(far.object(), 0, LENGTH)).isEmpty();
    }

    @Test
    void aPartOfABlockCopiesTheBlockOnce() throws IOException {
        assertRead(copies, 2_100, 50);
        assertRead(copies, 2_900, 50);

        assertThat(far.taken()).isEqualTo(BLOCK);
        assertThat(copies.totals().readBytes()).isEqualTo(50);
        assertThat(copies.copied(far.object(), 0, LENGTH)).isEqualTo(BLOCK);
    }

    @Test
    void streamingMakesNoCopies() throws IOException {
        assertRead(copies.streaming(), 2_100, 5_000);

        assertThat(far.taken()).isEqualTo(5_000);
        assertThat(copies.copied(far.object(), 0, LENGTH)).isZero();
    }

    @Test
    void blocksAreCopiedAhead() throws IOException {
        assertThat(copies.missing(far.object(), 1_500, 3_001)).containsExactly(1_000L, 2_000L, 3_000L);

        assertThat(copies.copy(far.object(), 12_000)).isTrue();
        assertThat(far.taken()).isEqualTo(345);
        assertThat(copies.copy(far.object(), 12_000)).isTrue();
        assertThat(far.taken()).isZero();
    }

    @Test
    void anotherVersionOrOtherCredentialsHaveOtherCopies() throws IOException {
        assertRead(copies, 0, LENGTH);
        MemoryFar changed = new MemoryFar(LENGTH, "v2");
        ByteBuffer into = ByteBuffer.allocate(LENGTH);
        try (CopySource later = new CopySource(changed, "", store, clock);
                CopySource allowed = new CopySource(far, "name", store, clock)) {
            later.read(changed.object(), 0, into);

            assertThat(into.array()).isEqualTo(changed.content());
            assertThat(allowed.copied(far.object(), 0, LENGTH)).isZero();
        }
    }

    @Test
    void anObjectWithoutAVersionIsNeverCopied() throws IOException {
        MemoryFar unknown = new MemoryFar(LENGTH, "");
        try (CopySource source = new CopySource(unknown, "", store, clock)) {
            source.read(unknown.object(), 0, ByteBuffer.allocate(LENGTH));
            source.read(unknown.object(), 0, ByteBuffer.allocate(LENGTH));

            assertThat(unknown.taken()).isEqualTo(2L * LENGTH);
            assertThat(source.missing(unknown.object(), 0, LENGTH)).isEmpty();
            assertThat(source.totals().notKeptBytes()).isEqualTo(2L * LENGTH);
            assertThat(source.totals().trouble()).contains("version");
        }
    }

    @Test
    void aDamagedBlockIsFetchedAgain() throws IOException {
        assertRead(copies, 0, LENGTH);
        far.taken();
        CopyPlace place = new CopyPlace(new CopyId("memory", "", far.object(), BLOCK).name(), 0);
        try (RandomAccessFile file = new RandomAccessFile(place.file(folder).toFile(), "rw")) {
            file.seek(CopyFile.BLOCKS_AT + 3 * BLOCK + 5);
            file.write(file.read() + 1);
        }

        assertRead(copies, 0, LENGTH);

        assertThat(far.taken()).isEqualTo(BLOCK);
        assertThat(copies.totals().damagedBlocks()).isEqualTo(1);
        assertRead(copies, 0, LENGTH);
        assertThat(far.taken()).isZero();
    }

    @Test
    void withoutRoomTheBytesComeFromTheSource() throws IOException {
        CopyStore small = CopyStore.open(
                folder.resolve("small"),
                new CopyLimits(CopyFile.BLOCKS_AT + 3 * BLOCK, Duration.ofDays(1), BLOCK),
                clock);
        try (small;
                CopySource source = new CopySource(far, "", small, clock)) {
            assertRead(source, 0, LENGTH);
            assertRead(source, 0, LENGTH);

            assertThat(source.totals().writtenBytes()).isEqualTo(3 * BLOCK);
            assertThat(source.totals().trouble()).contains("copies.max_bytes");
            assertThat(far.taken()).isEqualTo(2L * LENGTH - 3 * BLOCK);
        }
    }

    /** The objects have more files than are locked, and than there is room for. */
    @Test
    void aJobWithMoreDataThanRoomKeepsItsFirstCopies() throws IOException {
        int length = 100;
        List<DataObject> objects = new ArrayList<>();
        for (int i = 0; i < CopyUses.LOCKED_MAX + 100; i++) {
            objects.add(new DataObject("o" + i, length, far.object().version()));
        }
        long max = (CopyUses.LOCKED_MAX + 50L) * (CopyFile.BLOCKS_AT + length);
        CopyStore small =
                CopyStore.open(folder.resolve("small"), new CopyLimits(max, Duration.ofDays(1), BLOCK), clock);
        try (small;
                CopySource source = new CopySource(far, "", small, clock)) {
            for (DataObject object : objects) {
                source.read(object, 0, ByteBuffer.allocate(length));
            }
            long kept = source.totals().writtenBytes() / length;
            assertThat(kept).isBetween((long) CopyUses.LOCKED_MAX, objects.size() - 1L);
            for (int pass = 0; pass < 2; pass++) {
                clock.advance(Duration.ofMinutes(1));
                far.taken();
                for (DataObject object : objects) {
                    source.read(object, 0, ByteBuffer.allocate(length));
                }
                assertThat(far.taken()).as("bytes without room").isEqualTo((objects.size() - kept) * length);
            }
        }
    }

    @Test
    void nothingIsReadForACopyWithoutRoom() throws IOException {
        CopyStore small = CopyStore.open(
                folder.resolve("small"),
                new CopyLimits(CopyFile.BLOCKS_AT + 3 * BLOCK, Duration.ofDays(1), BLOCK),
                clock);
        try (small;
                CopySource source = new CopySource(far, "", small, clock)) {
            assertRead(source, 0, 3 * BLOCK);
            clock.advance(Duration.ofMinutes(1));
            far.taken();

            assertThat(source.copy(far.object(), 4L * BLOCK)).isFalse();
            assertThat(far.taken()).isZero();
        }
    }

    @Test
    void afterTheEndOfAJobItsFilesMakeRoom() throws IOException {
        long max = CopyFile.BLOCKS_AT + LENGTH;
        try (CopyStore small =
                CopyStore.open(folder.resolve("small"), new CopyLimits(max, Duration.ofDays(1), BLOCK), clock)) {
            try (CopySource first = new CopySource(far, "", small, clock)) {
                assertRead(first, 0, LENGTH);
            }
            try (CopySource second = new CopySource(far, "other", small, clock)) {
                assertRead(second, 0, LENGTH);

                assertThat(second.copied(far.object(), 0, LENGTH)).isEqualTo(LENGTH);
            }
        }
    }

    @Test
    void readersOfABlockShareOneRead() throws Exception {
        int readers = 8;
        ExecutorService threads = Executors.newFixedThreadPool(readers);
        try {
            for (int block = 0; block < 12; block++) {
                int offset = block * BLOCK;
                CyclicBarrier start = new CyclicBarrier(readers);
                List<Future<?>> all = new ArrayList<>();
                for (int i = 0; i < readers; i++) {
                    int from = offset + i * 100;
                    all.add(threads.submit(() -> {
                        start.await();
                        assertRead(copies, from, 100);
                        return null;
                    }));
                }
                for (Future<?> reader : all) {
                    reader.get();
                }
                assertThat(far.taken()).isEqualTo(BLOCK);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /** The first reader of a block is interrupted after its read; the second one copies the block. */
    @Test
    void aReaderTakesOverFromAnInterruptedReader() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        DataSource slow = new MemoryFarProxy(far, () -> {
            reading.countDown();
            try {
                interrupted.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try (CopySource source = new CopySource(slow, "", store, clock)) {
            Future<?> first = threads.submit(() -> {
                source.read(far.object(), 0, ByteBuffer.allocate(BLOCK));
                return null;
            });
            reading.await();
            Future<?> second = threads.submit(() -> {
                assertRead(source, 0, BLOCK);
                return null;
            });
            first.cancel(true);
            interrupted.countDown();
            second.get();

            assertThat(source.copied(far.object(), 0, BLOCK)).isEqualTo(BLOCK);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Bytes 2,500 to 2,600 cannot be read: of their block, the splits before and after are still good. */
    @ParameterizedTest
    @EnumSource(
            value = SourceFault.class,
            names = {"CHECKSUM", "RANGE_REFUSED", "BAD_ANSWER"})
    void aBadRangeOfAnotherSplitDoesNotMatter(SourceFault fault) throws IOException {
        DataSource bad = new BadRange(far, 2_500, 2_600, fault);
        try (CopySource source = new CopySource(bad, "", store, clock)) {
            assertRead(source, 1_500, 1_000);
            assertRead(source, 2_600, 900);

            assertThatThrownBy(() -> assertRead(source, 2_400, 150))
                    .isInstanceOfSatisfying(SourceException.class, failure -> assertThat(failure.fault())
                            .isEqualTo(fault));
            assertThat(source.missing(far.object(), 1_000, 4_000)).containsExactly(2_000L);
        }
    }

    /** The source is away: a second read would only wait as long as the first one. */
    @Test
    void aFaultOfTheSourceIsNotAskedTwice() {
        BadRange bad = new BadRange(far, 0, LENGTH, SourceFault.STALLED);
        try (CopySource source = new CopySource(bad, "", store, clock)) {
            assertThatThrownBy(() -> assertRead(source, 100, 100)).isInstanceOf(SourceException.class);
            assertThat(bad.failures).isOne();
        }
    }

    /** Refuses reads that touch a range. */
    private static final class BadRange implements DataSource {
        private final MemoryFar far;
        private final long from;
        private final long to;
        private final SourceFault fault;
        private int failures;

        BadRange(MemoryFar far, long from, long to, SourceFault fault) {
            this.far = far;
            this.from = from;
            this.to = to;
            this.fault = fault;
        }

        @Override
        public String place() {
            return far.place();
        }

        @Override
        public List<DataObject> list(String pattern) {
            return far.list(pattern);
        }

        @Override
        public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
            if (offset < to && offset + into.remaining() > from) {
                failures++;
                throw new SourceException(fault, "bytes " + from + " to " + to + " cannot be read");
            }
            far.read(object, offset, into);
        }

        @Override
        public void close() {}
    }

    /** Runs something before each read. */
    private record MemoryFarProxy(MemoryFar far, Runnable before) implements DataSource {
        @Override
        public String place() {
            return far.place();
        }

        @Override
        public List<DataObject> list(String pattern) {
            return far.list(pattern);
        }

        @Override
        public void read(DataObject object, long offset, ByteBuffer into) {
            before.run();
            far.read(object, offset, into);
        }

        @Override
        public void close() {}
    }

    @Test
    void aClosedSourceReadsFar() throws IOException {
        assertRead(copies, 0, BLOCK);
        copies.close();
        far.taken();

        assertRead(copies, 0, BLOCK);

        assertThat(far.taken()).isEqualTo(BLOCK);
    }
}
