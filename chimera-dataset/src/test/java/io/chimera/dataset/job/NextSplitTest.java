package io.chimera.dataset.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects of a split each, and two workers. */
final class NextSplitTest {
    private static final int LINES = 5_000;

    @TempDir
    Path folder;

    private final CountDownLatch hasNext = new CountDownLatch(1);

    /** Gives the last bytes of the first two objects once a later object is requested. */
    private final class Ends implements DataSource {
        private final MemorySource objects;

        Ends(MemorySource objects) {
            this.objects = objects;
        }

        @Override
        public String place() {
            return objects.place();
        }

        @Override
        public List<DataObject> list(String pattern) {
            return objects.list(pattern);
        }

        @Override
        public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
            boolean isFirst = object.path().compareTo("o2") < 0;
            if (!isFirst) {
                hasNext.countDown();
            } else if (offset + into.remaining() == object.length()) {
                awaitNext();
            }
            objects.read(object, offset, into);
        }

        private void awaitNext() throws SourceException {
            NextSplitTest.await(hasNext, "the next split is not requested");
        }

        @Override
        public void close() {}
    }

    /**
     * Counts the reads of each range. The worker of the first object requests the third one, and then waits for its
     * last bytes until the worker of the second object has computed the third one.
     */
    private static final class Stolen implements DataSource {
        private final MemorySource objects;
        private final CountDownLatch isRequested = new CountDownLatch(1);
        private final CountDownLatch isRead = new CountDownLatch(1);
        private final Map<String, Integer> reads = new ConcurrentHashMap<>();

        Stolen(MemorySource objects) {
            this.objects = objects;
        }

        @Override
        public String place() {
            return objects.place();
        }

        @Override
        public List<DataObject> list(String pattern) {
            return objects.list(pattern);
        }

        @Override
        public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
            boolean isLast = offset + into.remaining() == object.length();
            reads.merge(object.path() + " " + offset, 1, Integer::sum);
            if (object.path().equals("o0") && isLast) {
                await(isRead, "no worker takes the reserved split");
            } else if (object.path().equals("o1") && offset == 0) {
                await(isRequested, "the last split is not requested");
            } else if (object.path().equals("o2")) {
                isRequested.countDown();
                if (isLast) {
                    isRead.countDown();
                }
            }
            objects.read(object, offset, into);
        }

        @Override
        public void close() {}
    }

    /** The time limit is for a job that fails its test. */
    private static void await(CountDownLatch event, String failure) throws SourceException {
        try {
            if (!event.await(1, TimeUnit.MINUTES)) {
                throw new SourceException(SourceFault.FORBIDDEN, failure);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static MemorySource objects(int count) {
        MemorySource objects = new MemorySource();
        for (int i = 0; i < count; i++) {
            objects.with("o" + i, JobRig.csv(i * LINES, LINES));
        }
        return objects;
    }

    private JobProgress run(DataSource source) throws IOException {
        return new JobRig(folder.resolve("job"), new ManualClock())
                .run(source, List.of("o*"), JobRig.CSV, BadInput.DEFAULT);
    }

    @Test
    void isRequestedBeforeThePresentSplitHasArrived() throws IOException {
        JobProgress progress = run(new Ends(objects(4)));

        assertThat(progress.snapshot().points()).isEqualTo(4 * LINES);
    }

    @Test
    void anotherWorkerTakesTheRequestedBytesAlong() throws IOException {
        Stolen source = new Stolen(objects(3));

        JobProgress progress = run(source);

        assertThat(progress.snapshot().points()).isEqualTo(3 * LINES);
        assertThat(source.reads.values())
                .as("reads of each range")
                .hasSizeGreaterThan(3 * 6)
                .containsOnly(1);
    }
}
