package io.chimera.jni.stream;

import io.chimera.api.HotPath;
import io.chimera.jni.NativeLibrary;
import io.chimera.jni.NativeText;
import java.lang.ref.Reference;
import org.agrona.concurrent.UnsafeBuffer;

/** The functions of the native library for devices, which {@code chimera_device.h} explains. */
final class DeviceLibrary {

    /** {@code CHIMERA_DEVICE_VERSION}. */
    private static final int VERSION = 2;

    /** Why the library is not there; empty when it is. */
    private static final String LOAD_FAILURE = load();

    private DeviceLibrary() {}

    static boolean isLoaded() {
        return LOAD_FAILURE.isEmpty();
    }

    /** What a mechanism of the library lacks here, and the remedy; empty when it lacks nothing. */
    static String unavailabilityCause(Mechanism mechanism) {
        if (!isLoaded()) {
            return LOAD_FAILURE;
        }
        UnsafeBuffer cause = NativeText.allocate(NativeText.SENTENCE_BYTES);
        try {
            return available(mechanism.number(), cause.addressOffset(), NativeText.SENTENCE_BYTES)
                    ? ""
                    : NativeText.at(cause.addressOffset()) + ".";
        } finally {
            Reference.reachabilityFence(cause);
        }
    }

    private static native int version();

    private static native boolean available(int mechanism, long cause, int capacity);

    static native long open(long target, long bytes, int depth, int mechanism, long error, int capacity);

    static native void facts(long handle, long facts);

    static native int register(long handle, long memory, long bytes);

    @HotPath
    static native int write(long handle, long offset, long memory, int bytes, long token);

    @HotPath
    static native int flush(long handle, long token);

    @HotPath
    static native int poll(long handle, long completions, int max, int timeoutMs);

    @HotPath
    static native int read(long handle, long offset, long memory, int bytes);

    static native void close(long handle);

    private static String load() {
        if (!NativeLibrary.isLoaded()) {
            return NativeLibrary.loadFailure();
        }
        String remedy = "; build it anew, or leave -D" + NativeLibrary.PATH_PROPERTY + " away.";
        try {
            return version() == VERSION
                    ? ""
                    : "the native library is of another build (version " + version() + ", wanted " + VERSION + ")"
                            + remedy;
        } catch (UnsatisfiedLinkError e) {
            return "the native library is of another build: " + e.getMessage() + remedy;
        }
    }
}
