package io.chimera.dataset.source.xrootd.connection;

import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.xrootd.wire.AnswerException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges of a connection by stream id. Bounded: a thread waits for a free id. Any thread.
 *
 * <p>States: open, closed. A closed table accepts no exchange.
 */
final class StreamTable {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final @Nullable Exchange[] exchanges;
    private final int[] free;
    private int freeCount;
    private volatile @Nullable SourceException closeReason;

    StreamTable(int size) {
        exchanges = new Exchange[size];
        free = new int[size];
        for (int i = size - 1; i >= 0; i--) {
            free[freeCount++] = i;
        }
    }

    /** Adds an exchange. Waits while no id is free; an interrupt does not end the wait. */
    Exchange add(AnswerBody body, long nowNs) throws SourceException {
        lock.lock();
        try {
            while (freeCount == 0 && closeReason == null) {
                changed.awaitUninterruptibly();
            }
            if (closeReason != null) {
                throw XrootdConnection.copy(closeReason);
            }
            int index = free[--freeCount];
            Exchange exchange = new Exchange(index + 1, body, nowNs);
            exchanges[index] = exchange;
            return exchange;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the exchange of an id. */
    Exchange get(int streamId) throws AnswerException {
        lock.lock();
        try {
            Exchange exchange = streamId < 1 || streamId > exchanges.length ? null : exchanges[streamId - 1];
            if (exchange == null) {
                throw new AnswerException("stream id " + streamId + " belongs to no request");
            }
            return exchange;
        } finally {
            lock.unlock();
        }
    }

    /** Frees an id in use. */
    void remove(int streamId) {
        lock.lock();
        try {
            exchanges[streamId - 1] = null;
            free[freeCount++] = streamId - 1;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return exchanges.length - freeCount;
        } finally {
            lock.unlock();
        }
    }

    List<Exchange> snapshot() {
        lock.lock();
        try {
            List<Exchange> all = new ArrayList<>(exchanges.length - freeCount);
            for (Exchange exchange : exchanges) {
                if (exchange != null) {
                    all.add(exchange);
                }
            }
            return all;
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        return closeReason != null;
    }

    /** Refuses exchanges from now on. The first reason counts. */
    void close(SourceException reason) {
        lock.lock();
        try {
            if (closeReason == null) {
                closeReason = reason;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Ends all exchanges of a closed table with its reason. Only the reader thread, which writes to their buffers. */
    void failAll() {
        SourceException reason = closeReason;
        if (reason != null) {
            snapshot().forEach(exchange -> exchange.fail(reason));
        }
    }
}
