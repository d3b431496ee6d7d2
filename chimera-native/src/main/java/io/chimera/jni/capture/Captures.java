package io.chimera.jni.capture;

import java.util.List;
import org.agrona.concurrent.SystemNanoClock;

/** Opens sources of packets, and reports the back-ends available on this machine. Thread-safe. */
public final class Captures {

    static final String FILE = "file";
    static final String AF_XDP = "af_xdp";

    /** All back-ends, available on this machine or not. */
    public static final List<String> BACK_ENDS = List.of(FILE, "libpcap", "tpacket", AF_XDP, "netmap");

    private Captures() {}

    /**
     * Opens a source. The native library reads files if loaded, else Java does, with the same results.
     *
     * @throws CaptureException with the error and the remedy in its message
     */
    public static PacketCapture open(CaptureOptions options) {
        requireKnown(options.backEnd());
        if (options.backEnd().equals(FILE) && !CaptureLibrary.isLoaded()) {
            return new FileCapture(options, SystemNanoClock.INSTANCE);
        }
        String cause = unavailabilityCause(options.backEnd());
        if (!cause.isEmpty()) {
            throw new CaptureException(options.backEnd() + ":" + options.target() + ": " + cause, 0);
        }
        return new NativeCapture(options);
    }

    /** Whether the current user can open sources of a back-end on this machine. */
    public static boolean isAvailable(String backEnd) {
        return unavailabilityCause(backEnd).isEmpty();
    }

    /** Returns the missing requirement of a back-end and the remedy; empty when available. */
    public static String unavailabilityCause(String backEnd) {
        requireKnown(backEnd);
        if (CaptureLibrary.isLoaded()) {
            return CaptureLibrary.unavailabilityCause(backEnd);
        }
        return backEnd.equals(FILE) ? "" : CaptureLibrary.loadFailure();
    }

    private static void requireKnown(String backEnd) {
        if (!BACK_ENDS.contains(backEnd)) {
            throw new IllegalArgumentException(
                    "Unknown back-end " + backEnd + "; use one of " + String.join(", ", BACK_ENDS) + ".");
        }
    }
}
