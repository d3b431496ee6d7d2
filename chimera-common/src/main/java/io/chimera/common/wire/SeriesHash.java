package io.chimera.common.wire;

import io.chimera.api.HotPath;
import net.openhft.hashing.LongHashFunction;
import org.agrona.DirectBuffer;

/**
 * The hash of a key and the two numbers drawn from it: the part (mod N, which queue node sends) and the shard (mod M,
 * which processor receives). They are independent: with one hash for both, queue node n would reach only the processors
 * equal to n modulo gcd(N, M). Written into journals and cycle contents, so it never changes.
 */
public final class SeriesHash {
    private static final LongHashFunction XX3 = LongHashFunction.xx3();

    private SeriesHash() {}

    /**
     * XXH3, 64 bits.
     *
     * @param buffer holds the key
     * @param offset index of its first byte
     * @param length its length in bytes
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
     * The part of a cycle that a key belongs to: hash mod N of Chimera 2017, III-C.
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
     * The shard of a cycle that a group belongs to: hash mod M of Chimera 2017, III-C.
     *
     * @param groupHash {@link #of} what the pipeline groups by
     * @param shards number of shards, the M of the cycle
     * @return 0 to shards - 1
     */
    @HotPath
    public static int shard(long groupHash, int shards) {
        return Math.floorMod(mix(groupHash ^ 0xC2B2AE3D27D4EB4FL), shards);
    }

    /**
     * The key by which a group belongs to a {@link Slice} of its shard: slice i of k of shard s of M shards is shard s + M * i
     * of M * k shards.
     *
     * @param groupHash {@link #of} what the pipeline groups by
     * @param shards number of shards, the M of the cycle
     */
    @HotPath
    public static int slice(long groupHash, int shards) {
        return Slice.key(mix(groupHash ^ 0xC2B2AE3D27D4EB4FL), shards);
    }

    /** The 64-bit finaliser of MurmurHash3: every bit of the input moves every bit of the output. */
    private static long mix(long hash) {
        long mixed = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return mixed ^ (mixed >>> 33);
    }
}
