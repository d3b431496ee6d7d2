package io.chimera.common.channel.netty.http;

import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Queue of connections whose request was refused by a handler without room, per event loop and listener, in order of
 * arrival. Only the oldest request is retried; the next follows after its acceptance. With a thousand waiting requests,
 * retrying each every millisecond would starve the threads that make room. On the event loop.
 */
final class DeferredRequests {
    private static final long RETRY_MS = 1;

    private final EventLoop loop;
    private final Deque<HttpConnection> waiting = new ArrayDeque<>();
    private final Runnable retry = this::retry;
    private boolean isScheduled;

    DeferredRequests(EventLoop loop) {
        this.loop = loop;
    }

    void add(HttpConnection connection) {
        waiting.add(connection);
        schedule();
    }

    private void retry() {
        isScheduled = false;
        try {
            while (!waiting.isEmpty() && waiting.peek().handOverAgain()) {
                waiting.poll();
            }
        } finally {
            schedule();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the task throws nothing
    private void schedule() {
        if (!isScheduled && !waiting.isEmpty()) {
            isScheduled = true;
            loop.schedule(retry, RETRY_MS, TimeUnit.MILLISECONDS);
        }
    }
}
