package io.chimera.jni.capture;

import io.chimera.api.HotPath;
import io.chimera.jni.NativeLibrary;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** The functions of the native library for capture, which {@code chimera_jni.c} explains. */
final class CaptureLibrary {

    /** Room for a sentence of an error, with its final zero. */
    static final int TEXT_BYTES = 1024;

    /** {@code CHIMERA_CAPTURE_VERSION}. */
    private static final int VERSION = 1;

    /** Why the library is not there; empty when it is. */
    private static final String LOAD_FAILURE = load();

    private CaptureLibrary() {}

    static boolean isLoaded() {
        return LOAD_FAILURE.isEmpty();
    }

    /** Why the library is not there, and the remedy; empty when it is. */
    static String loadFailure() {
        return LOAD_FAILURE;
    }

    /** What a back-end of the loaded library lacks; empty when it lacks nothing. */
    static String unavailabilityCause(String backEnd) {
        int number = backEndNumber(backEnd);
        if (number < 0) {
            return "the native library was built without " + backEnd + "; build it anew from the whole source tree.";
        }
        UnsafeBuffer cause = text(TEXT_BYTES);
        return available(number, cause.addressOffset(), TEXT_BYTES) ? "" : textAt(cause.addressOffset());
    }

    /** The number of a back-end in the library, or -1. */
    static int backEndNumber(String backEnd) {
        for (int number = 0; ; number++) {
            long name = backEndName(number);
            if (name == 0 || textAt(name).equals(backEnd)) {
                return name == 0 ? -1 : number;
            }
        }
    }

    /** Memory for a text of C. Whoever passes its address keeps the buffer until the call is over. */
    static UnsafeBuffer text(int capacity) {
        return new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
    }

    /** A text in the form that C wants. */
    static UnsafeBuffer text(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        UnsafeBuffer text = text(bytes.length + 1);
        text.putBytes(0, bytes);
        return text;
    }

    /** The text of C at an address. */
    static String textAt(long address) {
        MutableDirectBuffer text = new UnsafeBuffer(address, TEXT_BYTES);
        int length = 0;
        while (length < TEXT_BYTES && text.getByte(length) != 0) {
            length++;
        }
        return text.getStringWithoutLengthUtf8(0, length);
    }

    static native long backEndName(int number);

    static native boolean available(int number, long cause, int capacity);

    static native long open(
            int number,
            long target,
            long filter,
            int snapLength,
            int ringBytes,
            int queue,
            int queues,
            int flags,
            double speed,
            long error,
            int capacity);

    @HotPath
    static native int receive(long handle, long packets, int max, int timeoutMs);

    @HotPath
    static native int release(long handle);

    static native int counters(long handle, long counters);

    static native int linkType(long handle);

    static native long failure(long handle);

    static native void close(long handle);

    private static native int version();

    private static String load() {
        if (!NativeLibrary.isLoaded()) {
            return NativeLibrary.loadFailure();
        }
        return version() == VERSION
                ? ""
                : "the native library is of another build (version " + version() + ", wanted " + VERSION
                        + "); build it anew, or leave -D" + NativeLibrary.PATH_PROPERTY + " away.";
    }
}
