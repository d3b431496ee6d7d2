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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Four objects of a split each, and two workers. */
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

        /** The time limit is for a job that fails this test. */
        private void awaitNext() throws SourceException {
            try {
                if (!hasNext.await(1, TimeUnit.MINUTES)) {
                    throw new SourceException(SourceFault.FORBIDDEN, "the next split is not requested");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {}
    }

    @Test
    void isRequestedBeforeThePresentSplitHasArrived() throws IOException {
        MemorySource objects = new MemorySource();
        for (int i = 0; i < 4; i++) {
            objects.with("o" + i, JobRig.csv(i * LINES, LINES));
        }

        JobProgress progress = new JobRig(folder.resolve("job"), new ManualClock())
                .run(new Ends(objects), List.of("o*"), JobRig.CSV, BadInput.DEFAULT);

        assertThat(progress.snapshot().points()).isEqualTo(4 * LINES);
    }
}
