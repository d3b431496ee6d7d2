package io.chimera.dataset.format.parquet;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian integers in byte arrays. */
final class LittleEndian {
    /**
     * Bytes that every buffer has after its content, so that a decoder may load a {@code long} at any bit of the
     * content without looking for the end.
     */
    static final int SLACK = 16;

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private LittleEndian() {}

    static int intAt(byte[] bytes, int index) {
        return (int) INTS.get(bytes, index);
    }

    static long longAt(byte[] bytes, int index) {
        return (long) LONGS.get(bytes, index);
    }
}
