package io.chimera.jni.capture;

import java.util.List;
import org.agrona.concurrent.SystemNanoClock;

/** Opens sources of packets, and knows which back-ends this machine has. Thread-safe. */
public final class Captures {

    static final String FILE = "file";
    static final String AF_XDP = "af_xdp";

    /** All back-ends that there are, whether or not this machine has them. */
    public static final List<String> BACK_ENDS = List.of(FILE, "libpcap", "tpacket", AF_XDP, "netmap");

    private Captures() {}

    /**
     * Opens a source. Files are read natively where the library is there, and otherwise in Java, with the same results.
     *
     * @throws CaptureException which names what is missing or wrong, and the remedy
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

    /** Whether a source of that back-end could be opened here, by this user. */
    public static boolean isAvailable(String backEnd) {
        return unavailabilityCause(backEnd).isEmpty();
    }

    /** What a back-end lacks here, and the remedy; empty when it lacks nothing. */
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
                    "There is no back-end " + backEnd + "; there are " + String.join(", ", BACK_ENDS) + ".");
        }
    }
}
