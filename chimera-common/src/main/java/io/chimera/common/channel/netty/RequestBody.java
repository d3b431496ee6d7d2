package io.chimera.common.channel.netty;

import io.chimera.common.channel.Listeners.Limits;
import io.netty.buffer.ByteBuf;
import java.util.Locale;

/**
 * Collects the body of one request after the other, unpacked, in an array of the pool. Every bound is checked before the
 * bytes are kept. On the event loop of its connection; owns the array until {@link #detach}.
 */
final class RequestBody implements AutoCloseable {
    static final byte[] EMPTY = {};

    /** Up to here the ratio is not looked at: so little harms nobody, and short lines that repeat pack very well. */
    static final int RATIO_FREE_BYTES = 64 << 10;

    private final BodyPool pool;
    private final Limits limits;
    private Unpacker unpacker;
    private boolean packed;
    private byte[] array = EMPTY;
    private int length;
    private long received;
    private Refusal full;
    private BodyBudget budget = BodyBudget.NONE;

    RequestBody(BodyPool pool, Limits limits) {
        this.pool = pool;
        this.limits = limits;
    }

    /** Sets who pays for the bodies from now on. Between two bodies. */
    void chargeTo(BodyBudget newBudget) {
        budget = newBudget;
    }

    /** Who pays for the present body. */
    BodyBudget budget() {
        return budget;
    }

    /**
     * Begins a body.
     *
     * @param encoding value of Content-Encoding, null for none
     * @return why it is refused, null when it is not
     */
    Refusal begin(String encoding) {
        received = 0;
        full = null;
        String name = encoding == null ? "identity" : encoding.trim().toLowerCase(Locale.ROOT);
        packed = !name.equals("identity") && !name.isEmpty();
        if (!packed) {
            return null;
        }
        boolean gzip = name.equals("gzip") || name.equals("x-gzip");
        if (!gzip && !name.equals("deflate")) {
            return Refusal.encoding(encoding);
        }
        if (unpacker == null) {
            unpacker = new Unpacker();
        }
        unpacker.begin(gzip);
        return null;
    }

    /** Takes bytes as they came; returns why the request is refused, null when it is not. */
    Refusal append(ByteBuf content) {
        int count = content.readableBytes();
        if (count == 0) {
            return null;
        }
        received += count;
        if (received > limits.bodyBytesMax()) {
            return Refusal.bodyTooLong(limits.bodyBytesMax());
        }
        if (packed) {
            return unpacker.unpack(content.nioBuffer(), this);
        }
        while (content.isReadable()) {
            int room = Math.min(room(), content.readableBytes());
            if (room == 0) {
                return full;
            }
            content.readBytes(array, length, room);
            length += room;
        }
        return null;
    }

    /** The body is whole; returns why the request is refused, null when it is not. */
    Refusal finish() {
        return packed && received > 0 ? unpacker.finish() : null;
    }

    /** Bytes that can be written behind the length, after growing where needed; 0 when {@link #full} says why not. */
    int room() {
        if (length == array.length) {
            if (length >= limits.bodyBytesMax()) {
                full = packed
                        ? Refusal.unpacksTooLong(limits.bodyBytesMax())
                        : Refusal.bodyTooLong(limits.bodyBytesMax());
                return 0;
            }
            int added = pool.lengthAfter(array.length) - array.length;
            if (!budget.reserve(added)) {
                full = pool.hasRoom(added) ? Refusal.tooManyBytesOfClient(budget.bytesMax()) : Refusal.noRoom();
                return 0;
            }
            byte[] grown = pool.grow(array, length);
            if (grown == null) {
                budget.release(added);
                full = Refusal.noRoom();
                return 0;
            }
            array = grown;
        }
        return array.length - length;
    }

    /** Why there is no room. */
    Refusal full() {
        return full;
    }

    /** Counts bytes that the unpacker wrote; returns why the request is refused, null when it is not. */
    Refusal wrote(int count) {
        length += count;
        boolean tooHigh = length > RATIO_FREE_BYTES && length > received * limits.ratioMax();
        return tooHigh ? Refusal.ratioTooHigh(limits.ratioMax()) : null;
    }

    byte[] array() {
        return array;
    }

    int length() {
        return length;
    }

    /** Bytes as they came. */
    long received() {
        return received;
    }

    /** Hands the array over to the caller, who gives it back to the pool, and is empty again. */
    byte[] detach() {
        byte[] result = array;
        array = EMPTY;
        length = 0;
        return result;
    }

    /** Drops what was collected. */
    void drop() {
        byte[] old = detach();
        pool.give(old);
        budget.release(old.length);
    }

    @Override
    public void close() {
        drop();
        if (unpacker != null) {
            unpacker.close();
        }
    }
}
