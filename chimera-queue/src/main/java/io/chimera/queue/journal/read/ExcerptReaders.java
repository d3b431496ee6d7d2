package io.chimera.queue.journal.read;

import org.agrona.CloseHelper;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;

/** Pool of readers for feeds; each reader has a buffer outside the heap. Any thread. */
public final class ExcerptReaders {
    /** 16 x 768 KiB. */
    private static final int KEPT = 16;

    private final ManyToManyConcurrentArrayQueue<ExcerptReader> kept = new ManyToManyConcurrentArrayQueue<>(KEPT);

    public ExcerptReader borrow() {
        ExcerptReader reader = kept.poll();
        return reader != null ? reader : ExcerptReader.make();
    }

    /** Takes a reader back into the pool. */
    public void giveBack(ExcerptReader reader) {
        CloseHelper.quietClose(reader);
        kept.offer(new ExcerptReader(reader.bytes()));
    }
}
