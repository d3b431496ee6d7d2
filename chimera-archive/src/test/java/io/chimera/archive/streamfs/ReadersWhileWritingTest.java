package io.chimera.archive.streamfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamCursor;
import io.chimera.archive.streamfs.store.StreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Readers on separate threads while the frontier overwrites blocks and the writer reuses memory. */
final class ReadersWhileWritingTest {
    private static final int RECORDS = 60_000;
    private static final int KNOWN = 1 << 10;

    private record Known(RecordHandle handle, int stream, long number, int length) {}

    private final AtomicReferenceArray<Known> known = new AtomicReferenceArray<>(KNOWN);
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();

    @Test
    void getWhatWasAppendedOrNothing() throws Exception {
        StreamFs store = Volumes.open(Volumes.device(48));
        for (int i = 0; i < 3; i++) {
            store.open(Volumes.settings("s" + i, 4));
        }
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<Long>> readers = new ArrayList<>();
        readers.add(threads.submit(() -> readAtRandom(store, 1)));
        readers.add(threads.submit(() -> readAtRandom(store, 2)));
        readers.add(threads.submit(() -> readOn(store, 0)));
        readers.add(threads.submit(() -> readOn(store, 1)));
        Random random = new Random(3);
        for (int i = 0; i < RECORDS && wrong.isEmpty(); i++) {
            int stream = random.nextInt(3);
            int length = 1 + random.nextInt(1500);
            RecordHandle handle = Volumes.append(store, stream, length);
            known.set(i % KNOWN, new Known(handle, stream, store.appended(stream), length));
            if (i % 50 == 0) {
                store.sync();
            }
            store.doWork();
        }
        isOver.set(true);
        for (Future<Long> reader : readers) {
            assertThat(reader.get()).as("records read").isPositive();
        }
        threads.shutdown();

        assertThat(wrong).isEmpty();
        assertThat(store.status().turns()).isGreaterThan(10);
    }

    private long readAtRandom(StreamFs store, long seed) {
        Random random = new Random(seed);
        RecordView view = new RecordView();
        StreamReader reader = store.reader();
        long read = 0;
        while (!isOver.get() || read == 0) {
            Known each = known.get(random.nextInt(KNOWN));
            if (each != null && reader.read(each.handle, view)) {
                check(view, each.stream, each.number, each.length);
                read++;
            } else if (each != null && each.number >= store.oldest(each.stream)) {
                wrong.add(each + " is held and was not found");
            }
        }
        return read;
    }

    private long readOn(StreamFs store, int stream) {
        RecordView view = new RecordView();
        StreamCursor cursor = store.reader().cursor(stream, Long.MIN_VALUE);
        long read = 0;
        long last = 0;
        while (!isOver.get() || read == 0) {
            if (cursor.next(view)) {
                if (view.number() <= last) {
                    wrong.add("record " + view.number() + " came after " + last);
                }
                last = view.number();
                check(view, stream, last, view.buffer().capacity());
                read++;
            }
        }
        return read;
    }

    private void check(RecordView view, int stream, long number, int length) {
        UnsafeBuffer expected = Volumes.record(stream, number, length);
        if (view.stream() != stream || view.number() != number || view.buffer().compareTo(expected) != 0) {
            wrong.add("record " + number + " of stream " + stream + " is not what was appended");
        }
    }
}
