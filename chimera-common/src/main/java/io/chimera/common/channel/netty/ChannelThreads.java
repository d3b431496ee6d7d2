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
 * The threads and the pool of buffers that all connections of one node share: its {@link NettyTransport} and its
 * {@code NettyListeners}. Closed by whoever made it, after those two.
 */
public final class ChannelThreads implements AutoCloseable {
    /** One for what comes in and one for what goes out, on average; ChannelBenchmark says what one moves. */
    private static final int EVENT_LOOPS = 2;

    /** Names waiting for the resolver: several times the nodes of a cluster. */
    private static final int LOOKUPS_MAX = 256;

    private static final int PAGE_BYTES = 8 << 10;

    /** A chunk of the pool has 8 KiB x 2^9 = 4 MiB, four frames of the largest size. */
    private static final int CHUNK_ORDER = 9;

    private static final int CLOSE_SECONDS_MAX = 5;

    private final EventLoopGroup loops;
    private final EventExecutor resolver;
    private final ByteBufAllocator allocator;

    /**
     * Starts threads when they are first needed.
     *
     * @param nodeName goes into their names
     */
    public ChannelThreads(String nodeName) {
        loops = new MultiThreadIoEventLoopGroup(
                EVENT_LOOPS, threadsNamed(nodeName + "-channel"), NioIoHandler.newFactory());
        resolver = new DefaultEventExecutor(
                null, threadsNamed(nodeName + "-resolver"), LOOKUPS_MAX, RejectedExecutionHandlers.reject());
        allocator = new PooledByteBufAllocator(
                true,
                0,
                EVENT_LOOPS,
                PAGE_BYTES,
                CHUNK_ORDER,
                PooledByteBufAllocator.defaultSmallCacheSize(),
                PooledByteBufAllocator.defaultNormalCacheSize(),
                true);
    }

    /** The event loops. */
    EventLoopGroup loops() {
        return loops;
    }

    /** Looks up host names, which may block for seconds; no connection waits behind it. */
    EventExecutor resolver() {
        return resolver;
    }

    ByteBufAllocator allocator() {
        return allocator;
    }

    /**
     * Closes channels and waits, unless called on an event loop, where it cannot wait: until their handlers have heard
     * of it and the system has closed their sockets, so that nobody connects to a port any more. Gives up after
     * seconds, where a handler holds its event loop up.
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
     * Done when an event loop has run what it was given before and what that gave it, and has asked its selector
     * meanwhile. Netty closes a channel in one task and tells its handlers in the next, and the JDK leaves the socket
     * of a closed channel open until the selector is asked. A task that an event loop schedules itself runs in the
     * round after, and the selector comes first there.
     */
    @SuppressWarnings("FutureReturnValueIgnored") // the promise is waited for
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
