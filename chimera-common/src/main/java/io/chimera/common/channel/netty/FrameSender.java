package io.chimera.common.channel.netty;

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
 * The sending half of a connection (the Half-Sync/Half-Async of Chimera 2017, III-C4): the offering thread copies frames
 * into pooled buffers and queues them, the event loop drains the queue into the socket, so that many offers make one
 * flush. The queue is bounded by credit in bytes and by its length in frames, and what Netty holds by its watermark.
 * Memory is reused; what a frame leaves as garbage is Netty's small object around it (see ChannelAllocationIT).
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write reaches exceptionCaught through the void promise
final class FrameSender {
    /**
     * Frames that may wait for the event loop: 4 MiB of credit / 4 KiB, the smallest frame that a busy stage sends. With
     * smaller ones the queue is the bound.
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

    /** Lets offers in. */
    void open() {
        open = true;
    }

    boolean isOpen() {
        return open;
    }

    /** Lets no more offers in. Any thread. */
    void stop() {
        open = false;
    }

    /** As {@link io.chimera.common.channel.Connection#offer}. */
    @HotPath
    boolean offer(DirectBuffer buffer, int offset, int length) {
        if (length < 1 || length > Transport.FRAME_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "A frame has 1 to " + Transport.FRAME_LENGTH_MAX + " bytes, not " + length + ".");
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
            // A slot counts as free from the moment its frame is taken, but can be filled only when the consumer is
            // done
            // with it, which may be a time slice later.
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
     * Has the event loop drain the queue. Every offer swaps the flag, also when it is set already: the swap makes the
     * queued frame visible to the drain that follows, and orders it before the look at {@link #open}. A frame that came
     * after the connection's end is released here.
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

    /** Writes what is queued as far as the socket takes it, one flush for all. The event loop. */
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

    /** Writes all that is queued, which the credit bounds: the last thing before closing. The event loop. */
    void drainAll() {
        for (ByteBuf frame = queue.poll(); frame != null; frame = queue.poll()) {
            channel.write(frame, channel.voidPromise());
        }
        channel.flush();
    }

    /** Sends a frame of the protocol's own, past the queue. The event loop. */
    void control(ByteBuf frame) {
        wrote = true;
        channel.writeAndFlush(frame, channel.voidPromise());
    }

    /** Whether something was written since the last call. The event loop. */
    boolean wroteSinceLastCall() {
        boolean result = wrote;
        wrote = false;
        return result;
    }

    /** Ends this half, when the channel is closed. The event loop. */
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
