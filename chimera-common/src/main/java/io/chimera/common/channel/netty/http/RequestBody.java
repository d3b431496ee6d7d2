package io.chimera.common.channel.netty.http;

import io.chimera.common.channel.Listeners.Limits;
import io.chimera.common.channel.netty.share.BodyBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Locale;

/**
 * Collects the decompressed bodies of consecutive requests in an array of the pool. Checks every limit before storing
 * bytes. On the event loop of its connection; owns the array until {@link #detach}.
 */
final class RequestBody implements AutoCloseable {
    static final byte[] EMPTY = {};

    private final BodyPool pool;
    private final Limits limits;
    private final Unpacker unpacker;
    private boolean packed;
    private byte[] array = EMPTY;
    private int length;
    private long received;
    private RequestRefusal full;
    private BodyBudget budget = BodyBudget.NONE;

    RequestBody(BodyPool pool, Limits limits, ByteBufAllocator allocator) {
        this.pool = pool;
        this.limits = limits;
        unpacker = new Unpacker(allocator);
    }

    /** Sets the budget charged for later bodies. Call only between two bodies. */
    void chargeTo(BodyBudget newBudget) {
        budget = newBudget;
    }

    /** Budget charged for the current body. */
    BodyBudget budget() {
        return budget;
    }

    /**
     * Begins a body.
     *
     * @param encoding value of Content-Encoding, null for none
     * @return the refusal, or null
     */
    RequestRefusal begin(String encoding) {
        received = 0;
        full = null;
        String name = encoding == null ? "identity" : encoding.trim().toLowerCase(Locale.ROOT);
        packed = !name.equals("identity") && !name.isEmpty();
        if (!packed) {
            return null;
        }
        boolean gzip = name.equals("gzip") || name.equals("x-gzip");
        if (!gzip && !name.equals("deflate")) {
            return RequestRefusal.encoding(encoding);
        }
        unpacker.begin(gzip);
        return null;
    }

    /** Appends received bytes; returns the refusal, or null. */
    RequestRefusal append(ByteBuf content) {
        int count = content.readableBytes();
        if (count == 0) {
            return null;
        }
        received += count;
        if (received > limits.bodyBytesMax()) {
            return RequestRefusal.bodyTooLong(limits.bodyBytesMax());
        }
        return packed ? unpacker.unpack(content, this) : store(content);
    }

    /** Stores decompressed bytes; returns the refusal, or null. */
    RequestRefusal store(ByteBuf plain) {
        while (plain.isReadable()) {
            int room = Math.min(room(), plain.readableBytes());
            if (room == 0) {
                return full;
            }
            plain.readBytes(array, length, room);
            length += room;
        }
        boolean tooHigh = packed && length > HttpPort.RATIO_FREE_BYTES && length > received * limits.ratioMax();
        return tooHigh ? RequestRefusal.ratioTooHigh(limits.ratioMax()) : null;
    }

    /** Ends the body; returns the refusal, or null. */
    RequestRefusal finish() {
        return packed && received > 0 ? unpacker.finish() : null;
    }

    /**
     * Returns the free space after the current length, growing the array if needed; 0 with the reason in {@link #full}.
     */
    private int room() {
        if (length == array.length) {
            if (length >= limits.bodyBytesMax()) {
                full = packed
                        ? RequestRefusal.unpacksTooLong(limits.bodyBytesMax())
                        : RequestRefusal.bodyTooLong(limits.bodyBytesMax());
                return 0;
            }
            int added = pool.lengthAfter(array.length) - array.length;
            if (!budget.reserve(added)) {
                full = pool.hasRoom(added)
                        ? RequestRefusal.tooManyBytesOfClient(budget.bytesMax())
                        : RequestRefusal.noRoom();
                return 0;
            }
            byte[] grown = pool.grow(array, length);
            if (grown == null) {
                budget.release(added);
                full = RequestRefusal.noRoom();
                return 0;
            }
            array = grown;
        }
        return array.length - length;
    }

    byte[] array() {
        return array;
    }

    int length() {
        return length;
    }

    /** Number of received bytes, before decompression. */
    long received() {
        return received;
    }

    /** Transfers the array to the caller, who must return the array to the pool; this body is empty afterwards. */
    byte[] detach() {
        byte[] result = array;
        array = EMPTY;
        length = 0;
        return result;
    }

    /** Drops the collected bytes. */
    void drop() {
        byte[] old = detach();
        pool.give(old);
        budget.release(old.length);
        unpacker.close();
    }

    @Override
    public void close() {
        drop();
    }
}
