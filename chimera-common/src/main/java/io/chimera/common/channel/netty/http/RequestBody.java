package io.chimera.common.channel.netty.http;

import io.chimera.common.channel.BodyEncoding;
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
    private final BodyEncoding accepted;
    private final Unpacker unpacker;
    private boolean packed;
    private byte[] array = EMPTY;
    private int length;
    private long received;
    private RequestRefusal full;
    private BodyBudget budget = BodyBudget.NONE;

    RequestBody(BodyPool pool, Limits limits, BodyEncoding accepted, ByteBufAllocator allocator) {
        this.pool = pool;
        this.limits = limits;
        this.accepted = accepted;
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
        if (accepted == BodyEncoding.SNAPPY) {
            packed = false; // collected as received, decompressed at the end
            boolean isSnappy = encoding == null || encoding.trim().equalsIgnoreCase("snappy");
            return isSnappy ? null : RequestRefusal.encoding(encoding, accepted);
        }
        String name = encoding == null ? "identity" : encoding.trim().toLowerCase(Locale.ROOT);
        packed = !name.equals("identity") && !name.isEmpty();
        if (!packed) {
            return null;
        }
        boolean gzip = name.equals("gzip") || name.equals("x-gzip");
        if (!gzip && !name.equals("deflate")) {
            return RequestRefusal.encoding(encoding, accepted);
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
        if (accepted == BodyEncoding.SNAPPY) {
            return unpackSnappy();
        }
        return packed && received > 0 ? unpacker.finish() : null;
    }

    /**
     * Decompresses the collected block into an array of the announced length. The length is checked before the array is
     * taken from the pool.
     */
    private RequestRefusal unpackSnappy() {
        byte[] block = array;
        int blockLength = length;
        long plainLength = SnappyBlock.lengthOf(block, blockLength);
        RequestRefusal refusal = refusalOfBlock(block, blockLength, plainLength);
        if (refusal != null) {
            return refusal;
        }
        byte[] plain = plainLength == 0 ? EMPTY : take(pool.lengthFor((int) plainLength));
        if (plain == null) {
            return full;
        }
        boolean isGood = SnappyBlock.unpack(block, blockLength, plain, (int) plainLength);
        array = plain;
        length = isGood ? (int) plainLength : 0;
        pool.give(block);
        budget.release(block.length);
        return isGood ? null : RequestRefusal.corrupt("snappy", "its content does not match its length");
    }

    /** Takes an array within the budget; null with the reason in {@link #full}. */
    private byte[] take(int needed) {
        if (!budget.reserve(needed)) {
            full = refusalOfRoom(needed);
            return null;
        }
        byte[] taken = pool.take(needed);
        if (taken == null) {
            budget.release(needed);
            full = RequestRefusal.noRoom();
        }
        return taken;
    }

    private RequestRefusal refusalOfRoom(int added) {
        return pool.hasRoom(added) ? RequestRefusal.tooManyBytesOfClient(budget.bytesMax()) : RequestRefusal.noRoom();
    }

    private RequestRefusal refusalOfBlock(byte[] block, int blockLength, long plainLength) {
        if (SnappyBlock.isStream(block, blockLength)) {
            return RequestRefusal.corrupt("snappy", "the framed stream format is not supported, use the block format");
        }
        if (plainLength < 0) {
            return RequestRefusal.corrupt("snappy", "no length at the beginning");
        }
        if (plainLength > SnappyBlock.plainLengthMax(blockLength)) {
            return RequestRefusal.corrupt("snappy", "its length is more than such a body can have");
        }
        if (plainLength > limits.bodyBytesMax()) {
            return RequestRefusal.unpacksTooLong(limits.bodyBytesMax());
        }
        boolean tooHigh = plainLength > HttpPort.RATIO_FREE_BYTES && plainLength > received * limits.ratioMax();
        return tooHigh ? RequestRefusal.ratioTooHigh(limits.ratioMax()) : null;
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
                full = refusalOfRoom(added);
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
