package io.chimera.bench.archive.disk;

import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamStore;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/** Reads small records in random order by handle, one read per write, on separate threads. */
final class RandomReads {
    /** Number of pending reads above which writes wait. */
    private static final int LAG_MAX = 64;

    private static final int HANDLES = 1 << 14;
    private static final int THREADS = 2;

    private final StreamStore store;
    private final AtomicReferenceArray<RecordHandle> handles = new AtomicReferenceArray<>(HANDLES);
    private final AtomicLong due = new AtomicLong();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isOver;

    RandomReads(StreamStore store) {
        this.store = store;
        for (int i = 0; i < THREADS; i++) {
            int seed = i;
            Thread thread = new Thread(() -> read(seed), "reads-" + i);
            thread.setUncaughtExceptionHandler((failed, thrown) -> failure.set(thrown));
            thread.start();
            threads.add(thread);
        }
    }

    /** Adds a record and a pending read. Called by the writer's thread. */
    void wrote(RecordHandle handle) {
        handles.set((int) (due.get() % HANDLES), handle);
        due.incrementAndGet();
    }

    /** Returns whether writes must wait. */
    boolean isBehind() {
        if (failure.get() != null) {
            throw new IllegalStateException("A read failed: " + failure.get(), failure.get());
        }
        return due.get() - taken.get() > LAG_MAX;
    }

    private void read(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        RecordView view = new RecordView();
        IdleStrategy idle = new BackoffIdleStrategy(100, 10, 1_000, 50_000);
        try (StreamReader reader = store.reader()) {
            while (!isOver) {
                long next = taken.get();
                if (next >= due.get() || !taken.compareAndSet(next, next + 1)) {
                    idle.idle();
                    continue;
                }
                idle.reset();
                reader.read(handles.get(random.nextInt((int) Math.min(next + 1, HANDLES))), view);
            }
        }
    }

    /** Ends the threads. */
    void end() throws InterruptedException {
        isOver = true;
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
