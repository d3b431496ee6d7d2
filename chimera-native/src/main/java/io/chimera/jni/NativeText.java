package io.chimera.jni;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Texts as C has them: UTF-8 that ends with a zero. Any thread. */
public final class NativeText {

    /** Room for a sentence of an error, with its final zero. */
    public static final int SENTENCE_BYTES = 1024;

    private NativeText() {}

    /** Memory for a text of C. Whoever passes its address keeps the buffer until the call is over. */
    public static UnsafeBuffer allocate(int capacity) {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
    }

    /** A text in the form that C wants. Whoever passes its address keeps the buffer until the call is over. */
    public static UnsafeBuffer of(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        UnsafeBuffer text = allocate(bytes.length + 1);
        text.putBytes(0, bytes);
        return text;
    }

    /** The text of C at an address, of at most {@link #SENTENCE_BYTES}. */
    public static String at(long address) {
        MutableDirectBuffer text = new UnsafeBuffer(address, SENTENCE_BYTES);
        int length = 0;
        while (length < SENTENCE_BYTES && text.getByte(length) != 0) {
            length++;
        }
        return text.getStringWithoutLengthUtf8(0, length);
    }
}
