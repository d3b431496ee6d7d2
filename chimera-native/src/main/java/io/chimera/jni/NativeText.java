package io.chimera.jni;

import io.chimera.api.ColdPath;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** C strings: UTF-8 with a terminating zero. Thread-safe. */
public final class NativeText {

    /** Buffer size for an error message, including the terminating zero. */
    public static final int SENTENCE_BYTES = 1024;

    private NativeText() {}

    /** Allocates memory for a C string. The caller must keep the buffer reachable until the native call returns. */
    public static UnsafeBuffer allocate(int capacity) {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
    }

    /** Converts a string to a C string. The caller must keep the buffer reachable until the native call returns. */
    public static UnsafeBuffer of(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        UnsafeBuffer text = allocate(bytes.length + 1);
        text.putBytes(0, bytes);
        return text;
    }

    /** Reads a C string of at most {@link #SENTENCE_BYTES} at an address. */
    @ColdPath
    public static String at(long address) {
        MutableDirectBuffer text = new UnsafeBuffer(address, SENTENCE_BYTES);
        int length = 0;
        while (length < SENTENCE_BYTES && text.getByte(length) != 0) {
            length++;
        }
        return text.getStringWithoutLengthUtf8(0, length);
    }
}
