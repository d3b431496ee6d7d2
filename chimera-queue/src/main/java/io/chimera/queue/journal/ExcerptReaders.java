package io.chimera.queue.journal;

import org.agrona.CloseHelper;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;

/** Readers that are kept for the next feed, since each has a buffer outside the heap. Any thread. */
final class ExcerptReaders {
    /** 16 x 768 KiB. */
    private static final int KEPT = 16;

    private final ManyToManyConcurrentArrayQueue<ExcerptReader> kept = new ManyToManyConcurrentArrayQueue<>(KEPT);

    ExcerptReader borrow() {
        ExcerptReader reader = kept.poll();
        return reader != null ? reader : ExcerptReader.make();
    }

    /** Takes a reader back that is not needed any more. */
    void giveBack(ExcerptReader reader) {
        CloseHelper.quietClose(reader);
        kept.offer(new ExcerptReader(reader.bytes()));
    }
}
