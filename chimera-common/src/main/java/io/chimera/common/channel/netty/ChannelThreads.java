package io.chimera.common.channel.netty;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.ChannelGroupFuture;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.RejectedExecutionHandlers;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Event loops and buffer pool shared by all connections of one node, of its {@link NettyTransport} and its {@code
 * NettyListeners}. The creator closes this object after both.
 */
public final class ChannelThreads implements AutoCloseable {
    /**
     * Number of event loops: on average one for input and one for output; ChannelBenchmark measures the throughput of
     * one.
     */
    private static final int EVENT_LOOPS = 2;

    /** Maximum number of pending host name lookups: several times the number of nodes of a cluster. */
    private static final int LOOKUPS_MAX = 256;

    private static final int PAGE_BYTES = 8 << 10;

    /** Chunk size of the pool: 8 KiB x 2^9 = 4 MiB, four frames of the maximum size. */
    private static final int CHUNK_ORDER = 9;

    private static final int CLOSE_SECONDS_MAX = 5;

    private final EventLoopGroup loops;
    private final EventExecutor resolver;
    private final ByteBufAllocator allocator;

    /**
     * Creates the event loops; their threads start at the first use.
     *
     * @param nodeName prefix of the thread names
     */
    public ChannelThreads(String nodeName) {
        loops = new MultiThreadIoEventLoopGroup(
                EVENT_LOOPS, threadsNamed(nodeName + "-channel"), NioIoHandler.newFactory());
        resolver = new DefaultEventExecutor(
                null, threadsNamed(nodeName + "-resolver"), LOOKUPS_MAX, RejectedExecutionHandlers.reject());
        allocator = new PooledByteBufAllocator(
                true,
                EVENT_LOOPS, // heap buffers, for the decompression of request bodies
                EVENT_LOOPS,
                PAGE_BYTES,
                CHUNK_ORDER,
                PooledByteBufAllocator.defaultSmallCacheSize(),
                PooledByteBufAllocator.defaultNormalCacheSize(),
                true);
    }

    EventLoopGroup loops() {
        return loops;
    }

    /** Executor of host name lookups, which may block for seconds without delaying any connection. */
    EventExecutor resolver() {
        return resolver;
    }

    ByteBufAllocator allocator() {
        return allocator;
    }

    /**
     * Closes channels and waits until their handlers have been notified and the system has closed their sockets, so no
     * client can connect to the ports any more. Does not wait when called on an event loop. Gives up after some seconds
     * if a handler blocks its event loop.
     */
    void closeAll(ChannelGroup channels) {
        ChannelGroupFuture closed = channels.close();
        for (EventExecutor loop : loops) {
            if (loop.inEventLoop()) {
                return;
            }
        }
        closed.awaitUninterruptibly(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        for (EventExecutor loop : loops) {
            if (!loop.isShuttingDown()) {
                round(loop).awaitUninterruptibly(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
            }
        }
    }

    /**
     * Returns a future, completed after an event loop has run its current tasks and their follow-up tasks and has
     * called its selector. Netty closes a channel in one task and notifies its handlers in the next, and the JDK keeps
     * the socket of a closed channel open until the next selector call. A task scheduled by an event loop on itself
     * runs in the next round, after the selector call.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the returned promise is awaited
    private static Future<?> round(EventExecutor loop) {
        Promise<Void> done = loop.newPromise();
        loop.execute(() -> loop.schedule(() -> done.trySuccess(null), 0, TimeUnit.NANOSECONDS));
        return done;
    }

    @Override
    public void close() {
        Future<?> resolverClosed = resolver.shutdownGracefully(0, CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        Future<?> loopsClosed = loops.shutdownGracefully(0, CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        resolverClosed.awaitUninterruptibly(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
        loopsClosed.awaitUninterruptibly(CLOSE_SECONDS_MAX, TimeUnit.SECONDS);
    }

    private static ThreadFactory threadsNamed(String name) {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new FastThreadLocalThread(task, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }
}
