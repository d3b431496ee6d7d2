package io.chimera.dataset.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.Retries;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Lists of a source that is asked for each object. */
final class ObjectListsTest {
    private static final int THREADS = 4;

    private final ManualClock clock = new ManualClock();
    private final Reception reception =
            new Reception("list", THREADS, new Retries(Retries.Limits.DEFAULT, clock, () -> 1L, clock::advance));

    @AfterEach
    void close() {
        reception.close();
    }

    /** A list of one object per pattern. */
    private record Names(Answer answer) implements DataSource {
        @FunctionalInterface
        interface Answer {
            DataObject of(String pattern) throws SourceException;
        }

        @Override
        public String place() {
            return "http://far";
        }

        @Override
        public List<DataObject> list(String pattern) throws SourceException {
            return List.of(answer.of(pattern));
        }

        @Override
        public void read(DataObject object, long offset, ByteBuffer into) {
            throw new AssertionError("only lists");
        }

        @Override
        public void close() {}
    }

    private static DataObject object(String path) {
        return new DataObject(path, 1, ObjectVersion.UNKNOWN);
    }

    private static List<String> patterns(int count) {
        return IntStream.range(0, count).mapToObj(i -> "o" + i).toList();
    }

    /** Each answer waits for three others: one request at a time would never end. */
    @Test
    void severalRequestsAreUnderWay() throws Exception {
        CyclicBarrier together = new CyclicBarrier(THREADS);
        DataSource source = new Names(pattern -> {
            try {
                together.await();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            return object(pattern);
        });

        assertThat(ObjectLists.of(source, patterns(3 * THREADS), reception).keySet())
                .containsExactlyInAnyOrderElementsOf(patterns(3 * THREADS));
    }

    @Test
    void aFaultThatMayPassIsAskedAgain() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        DataSource source = new Names(pattern -> {
            if (calls.incrementAndGet() < 3) {
                throw new SourceException(SourceFault.BUSY, "later");
            }
            return object(pattern);
        });

        assertThat(ObjectLists.of(source, List.of("a"), reception)).containsOnlyKeys("a");
    }

    @Test
    void anotherFaultEndsTheList() {
        DataSource source = new Names(pattern -> {
            throw new SourceException(SourceFault.FORBIDDEN, pattern + " is forbidden");
        });

        assertThatThrownBy(() -> ObjectLists.of(source, List.of("a"), reception))
                .isInstanceOf(SourceException.class)
                .hasMessageContaining("a is forbidden");
    }
}
