package io.chimera.common.wire;

import io.chimera.api.HotPath;
import net.openhft.hashing.LongHashFunction;
import org.agrona.DirectBuffer;

/**
 * Hash of a key, and the two numbers derived from the hash: the part (mod N, the sending queue node) and the shard (mod
 * M, the receiving processor). The two numbers are independent: with one common hash, queue node n would reach only the
 * processors equal to n modulo gcd(N, M). The hash function never changes, because journals and cycle contents depend
 * on its values.
 */
public final class SeriesHash {
    private static final LongHashFunction XX3 = LongHashFunction.xx3();

    private SeriesHash() {}

    /**
     * Computes XXH3, 64 bits.
     *
     * @param buffer holds the key
     * @param offset index of the first byte
     * @param length length of the key in bytes
     * @return the hash
     */
    @HotPath
    public static long of(DirectBuffer buffer, int offset, int length) {
        buffer.boundsCheck(offset, length);
        byte[] array = buffer.byteArray();
        return array == null
                ? XX3.hashMemory(buffer.addressOffset() + offset, length)
                : XX3.hashBytes(array, buffer.wrapAdjustment() + offset, length);
    }

    /**
     * Returns the part of a cycle for a key: hash mod N of Chimera 2017, III-C.
     *
     * @param keyHash {@link #of} the whole key
     * @param parts number of parts, the N of the cycle
     * @return 0 to parts - 1
     */
    @HotPath
    public static int part(long keyHash, int parts) {
        return Math.floorMod(mix(keyHash ^ 0x9E3779B97F4A7C15L), parts);
    }

    /**
     * Returns the shard of a cycle for a group: hash mod M of Chimera 2017, III-C.
     *
     * @param groupHash {@link #of} the group key
     * @param shards number of shards, the M of the cycle
     * @return 0 to shards - 1
     */
    @HotPath
    public static int shard(long groupHash, int shards) {
        return Math.floorMod(mix(groupHash ^ 0xC2B2AE3D27D4EB4FL), shards);
    }

    /**
     * Returns the slice key of a group, for {@link Slice#has}: slice i of k of shard s of M shards is shard s + M * i
     * of M * k shards.
     *
     * @param groupHash {@link #of} the group key
     * @param shards number of shards, the M of the cycle
     */
    @HotPath
    public static int slice(long groupHash, int shards) {
        return Slice.key(mix(groupHash ^ 0xC2B2AE3D27D4EB4FL), shards);
    }

    /** Applies the 64-bit finalizer of MurmurHash3: every input bit affects every output bit. */
    private static long mix(long hash) {
        long mixed = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ (mixed >>> 33);
    }
}
