package io.chimera.common.channel.netty.node;

import io.chimera.api.HotPath;
import io.chimera.common.channel.CreditWindow;
import io.chimera.common.channel.Transport;
import io.chimera.common.metrics.ChannelCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.common.wire.Checksums;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.ManyToManyConcurrentArrayQueue;

/**
 * Sending half of a connection (the Half-Sync/Half-Async of Chimera 2017, III-C4). The offering thread copies frames
 * into pooled buffers and queues them; the event loop drains the queue into the socket, so many offers share one flush.
 * The queue is bounded by credit in bytes and by its length in frames; Netty's outbound buffer is bounded by its
 * watermark. Memory is reused; the only garbage per frame is Netty's small wrapper object (see ChannelAllocationIT).
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write reaches exceptionCaught through the void promise
final class FrameSender {
    /**
     * Maximum number of queued frames: 4 MiB of credit / 4 KiB, the smallest frame of a busy stage. For smaller frames
     * the queue is the limit, not the credit.
     */
    private static final int QUEUE_FRAMES = 1024;

    private final Channel channel;
    private final ByteBufAllocator allocator;
    private final CreditWindow credit;
    private final Counters<ChannelCounter> counters;
    private final ManyToManyConcurrentArrayQueue<ByteBuf> queue;
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private final Runnable drain = this::drain;
    private final CRC32C crc = new CRC32C();
    private volatile boolean open;
    private boolean wrote;

    FrameSender(Channel channel, CreditWindow credit, Counters<ChannelCounter> counters) {
        this(channel, credit, counters, new ManyToManyConcurrentArrayQueue<>(QUEUE_FRAMES));
    }

    FrameSender(
            Channel channel,
            CreditWindow credit,
            Counters<ChannelCounter> counters,
            ManyToManyConcurrentArrayQueue<ByteBuf> queue) {
        this.channel = channel;
        this.queue = queue;
        this.allocator = channel.alloc();
        this.credit = credit;
        this.counters = counters;
    }

    /** Permits offers. */
    void open() {
        open = true;
    }

    boolean isOpen() {
        return open;
    }

    /** Refuses further offers. Any thread. */
    void stop() {
        open = false;
    }

    /** Implements {@link io.chimera.common.channel.Connection#offer}. */
    @HotPath
    boolean offer(DirectBuffer buffer, int offset, int length) {
        if (length < 1 || length > Transport.FRAME_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "A frame must have 1 to " + Transport.FRAME_LENGTH_MAX + " bytes, not " + length + ".");
        }
        if (!open) {
            return false;
        }
        if (queue.size() >= QUEUE_FRAMES || !credit.take(length)) {
            counters.increment(ChannelCounter.OFFERS_REFUSED);
            return false;
        }
        ByteBuf frame = frameOf(buffer, offset, length);
        if (!queue.offer(frame)) {
            // A slot counts as free as soon as its frame is polled, but can be filled only after the consumer has
            // finished with the slot, possibly a time slice later.
            frame.release();
            credit.putBack(length);
            counters.increment(ChannelCounter.OFFERS_REFUSED);
            return false;
        }
        wakeUp();
        return true;
    }

    private ByteBuf frameOf(DirectBuffer buffer, int offset, int length) {
        int end = ChannelFrame.HEADER_LENGTH + length;
        ByteBuf frame = allocator.directBuffer(end, end);
        frame.writeIntLE(ChannelFrame.word(ChannelFrame.DATA, length));
        frame.writeIntLE(Checksums.crc32c(crc, buffer, offset, length));
        ByteBuffer target = frame.internalNioBuffer(ChannelFrame.HEADER_LENGTH, length);
        buffer.getBytes(offset, target, target.position(), length);
        return frame.writerIndex(end);
    }

    /**
     * Schedules the drain of the queue on the event loop. Every offer swaps the flag, even if already set: the swap
     * makes the queued frame visible to the following drain and orders the frame before the check of {@link #open}.
     * Releases frames queued after the end of the connection.
     */
    private void wakeUp() {
        try {
            if (!scheduled.getAndSet(true)) {
                channel.eventLoop().execute(drain);
            }
        } catch (RejectedExecutionException e) {
            open = false;
        }
        if (!open && !channel.isActive()) {
            releaseQueued();
        }
    }

    /** Writes queued frames until the socket is full, with one flush for all. Event loop. */
    void drain() {
        scheduled.getAndSet(false);
        long frames = 0;
        long bytes = 0;
        while (channel.isWritable() && !queue.isEmpty()) {
            for (ByteBuf frame = queue.poll(); frame != null; frame = channel.isWritable() ? queue.poll() : null) {
                frames++;
                bytes += frame.readableBytes() - ChannelFrame.HEADER_LENGTH;
                channel.write(frame, channel.voidPromise());
            }
            channel.flush();
        }
        if (!channel.isActive()) {
            releaseQueued();
        }
        if (frames > 0) {
            wrote = true;
            counters.add(ChannelCounter.FRAMES_SENT, frames);
            counters.add(ChannelCounter.BYTES_SENT, bytes);
        }
    }

    /** Writes all queued frames, bounded by the credit, before closing. Event loop. */
    void drainAll() {
        for (ByteBuf frame = queue.poll(); frame != null; frame = queue.poll()) {
            channel.write(frame, channel.voidPromise());
        }
        channel.flush();
    }

    /** Sends a protocol frame, bypassing the queue. Event loop. */
    void control(ByteBuf frame) {
        wrote = true;
        channel.writeAndFlush(frame, channel.voidPromise());
    }

    /** Returns whether any frame was written since the last call. Event loop. */
    boolean wroteSinceLastCall() {
        boolean result = wrote;
        wrote = false;
        return result;
    }

    /** Ends this half after the end of the channel. Event loop. */
    void close() {
        open = false;
        scheduled.getAndSet(true);
        releaseQueued();
    }

    private void releaseQueued() {
        for (ByteBuf frame = queue.poll(); frame != null; frame = queue.poll()) {
            frame.release();
        }
    }
}
