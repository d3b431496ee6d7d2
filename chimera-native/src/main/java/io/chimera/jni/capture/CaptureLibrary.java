package io.chimera.jni.capture;

import io.chimera.api.HotPath;
import io.chimera.jni.NativeLibrary;
import io.chimera.jni.NativeText;
import org.agrona.concurrent.UnsafeBuffer;

/** Native functions for captures, documented in {@code chimera_jni.c}. */
final class CaptureLibrary {

    /** {@code CHIMERA_CAPTURE_VERSION}. */
    private static final int VERSION = 1;

    /** Reason why the library is unavailable; empty when loaded. */
    private static final String LOAD_FAILURE = load();

    private CaptureLibrary() {}

    static boolean isLoaded() {
        return LOAD_FAILURE.isEmpty();
    }

    /** Returns the reason why the library is unavailable, and the remedy; empty when loaded. */
    static String loadFailure() {
        return LOAD_FAILURE;
    }

    /** Returns the missing requirement of a back-end of the loaded library; empty when available. */
    static String unavailabilityCause(String backEnd) {
        int number = backEndNumber(backEnd);
        if (number < 0) {
            return "the native library was built without " + backEnd + "; rebuild it from the complete source tree.";
        }
        UnsafeBuffer cause = NativeText.allocate(NativeText.SENTENCE_BYTES);
        return available(number, cause.addressOffset(), NativeText.SENTENCE_BYTES)
                ? ""
                : NativeText.at(cause.addressOffset());
    }

    /** Returns the number of a back-end in the library, or -1. */
    static int backEndNumber(String backEnd) {
        for (int number = 0; ; number++) {
            long name = backEndName(number);
            if (name == 0 || NativeText.at(name).equals(backEnd)) {
                return name == 0 ? -1 : number;
            }
        }
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
                : "the native library does not match (version " + version() + ", expected " + VERSION
                        + "); rebuild the library, or omit -D" + NativeLibrary.PATH_PROPERTY + ".";
    }
}
