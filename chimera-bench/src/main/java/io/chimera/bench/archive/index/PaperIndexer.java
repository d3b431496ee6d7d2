package io.chimera.bench.archive.index;

import java.util.Arrays;
import org.agrona.UnsafeApi;

/**
 * Computes the index of the paper (Hyperion 2007, 7.4): seven keys of every packet, 40 bytes in total, are each hashed
 * to bits of a word of 32,768 bits, 60 set bits in total, superimposed on the signature of the interval. As fast as a
 * JVM permits: hashes eight bytes at a time, takes the bits from one hash, and drops the signatures.
 */
public final class PaperIndexer {
    private static final int SIGNATURE_BITS = 32 << 10;
    private static final int INTERVAL_BYTES = 64 << 10;
    private static final int[] OFFSETS = {12, 28, 32, 34, 12, 28, 12};
    private static final int[] BYTES = {4, 4, 4, 4, 4, 4, 16};
    private static final int[] BITS = {9, 9, 9, 9, 8, 8, 8};
    private static final int SOURCE_TO_DESTINATION = 16;
    private static final int SOURCE_TO_PORTS = 20;
    private static final long FIRST = 0x9E37_79B9_7F4A_7C15L;
    private static final long SECOND = 0xD6E8_FEB8_6659_FD93L;

    private final long[] signature = new long[SIGNATURE_BITS / Long.SIZE];
    private long sum;

    /** Indexes packets. Returns a value derived from the signatures, so that the JVM cannot remove the computation. */
    public long index(PacketTuples packets) {
        int bytes = 0;
        for (int i = 0; i < packets.size(); i++) {
            add(packets.tuple(i));
            bytes += packets.captured(i);
            if (bytes >= INTERVAL_BYTES) {
                sum += signature[i & (signature.length - 1)];
                Arrays.fill(signature, 0);
                bytes = 0;
            }
        }
        return sum;
    }

    private void add(long tuple) {
        for (int key = 0; key < BYTES.length; key++) {
            long hash = hash(tuple + OFFSETS[key], BYTES[key], key);
            int first = (int) hash;
            int step = (int) (hash >>> 32) | 1;
            for (int i = 0; i < BITS[key]; i++) {
                int bit = first & (SIGNATURE_BITS - 1);
                signature[bit >>> 6] |= 1L << bit;
                first += step;
            }
        }
    }

    private static long hash(long at, int bytes, int key) {
        long hash = (key + 1) * FIRST;
        if (bytes == Integer.BYTES) {
            return mix(hash ^ UnsafeApi.getInt(at));
        }
        hash = mix(hash ^ ((long) UnsafeApi.getInt(at) << Integer.SIZE | UnsafeApi.getInt(at + SOURCE_TO_DESTINATION)));
        return mix(hash ^ UnsafeApi.getLong(at + SOURCE_TO_PORTS));
    }

    private static long mix(long bits) {
        long mixed = (bits ^ bits >>> 32) * SECOND;
        mixed = (mixed ^ mixed >>> 29) * FIRST;
        return mixed ^ mixed >>> 32;
    }
}
