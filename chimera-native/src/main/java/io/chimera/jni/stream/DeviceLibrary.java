package io.chimera.jni.stream;

import io.chimera.api.HotPath;
import io.chimera.jni.NativeLibrary;
import io.chimera.jni.NativeText;
import java.lang.ref.Reference;
import org.agrona.concurrent.UnsafeBuffer;

/** Native functions for devices, documented in {@code chimera_device.h}. */
final class DeviceLibrary {

    /** {@code CHIMERA_DEVICE_VERSION}. */
    private static final int VERSION = 2;

    /** Reason why the library is unavailable; empty when loaded. */
    private static final String LOAD_FAILURE = load();

    private DeviceLibrary() {}

    static boolean isLoaded() {
        return LOAD_FAILURE.isEmpty();
    }

    /** Returns the missing requirement of a mechanism and the remedy; empty when available. */
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
        String remedy = "; rebuild the library, or omit -D" + NativeLibrary.PATH_PROPERTY + ".";
        try {
            return version() == VERSION
                    ? ""
                    : "the native library does not match (version " + version() + ", expected " + VERSION + ")"
                            + remedy;
        } catch (UnsatisfiedLinkError e) {
            return "the native library does not match: " + e.getMessage() + remedy;
        }
    }
}
