package io.chimera.jni.capture;

import java.util.Objects;
import java.util.function.Consumer;

/**
 * Source and settings of a capture.
 *
 * @param backEnd {@code file}, {@code libpcap}, {@code tpacket}, {@code af_xdp} or {@code netmap}
 * @param target a file, an interface (for af_xdp, {@code eth0@2} means only receive queue 2), or a netmap port
 * @param filter filter in pcap syntax ({@code tcp port 80}); empty for all packets
 * @param snapLength maximum captured bytes per packet; longer packets are truncated
 * @param ringBytes buffer size for waiting packets; rounded to a size supported by the back-end; unused for files
 * @param queue number of the queue read by this capture, from 0
 * @param queues number of captures sharing the interface's packets, each opened with a different {@code queue}
 * @param promiscuous whether to also capture packets for other hosts
 * @param zeroCopy whether to refuse an interface without zero-copy support; af_xdp only
 * @param busyPoll whether to wait by spinning instead of sleeping
 * @param speed replay speed of files: 0 as fast as possible, 1 as recorded, 2 twice as fast
 */
public record CaptureOptions(
        String backEnd,
        String target,
        String filter,
        int snapLength,
        int ringBytes,
        int queue,
        int queues,
        boolean promiscuous,
        boolean zeroCopy,
        boolean busyPoll,
        double speed) {

    /** Maximum packet size: no interface and no interface's capture file has longer packets. */
    public static final int SNAP_LENGTH_MAX = 262_144;

    /** A quarter of a second at 1 Gb/s: 125 MB/s x 0.25 s = 31 MB. */
    public static final int RING_BYTES_DEFAULT = 32 * 1024 * 1024;

    /** Frames of 2 KiB for packets of any length, enough for 20 ms at 1.6 M packets/s: 32,768 x 2 KiB. */
    public static final int RING_BYTES_AF_XDP = 64 * 1024 * 1024;

    private static final int RING_BYTES_MIN = 64 * 1024;

    /** Validates all settings independent of the back-end. */
    public CaptureOptions {
        Objects.requireNonNull(filter, "The filter must not be null; an empty filter matches all packets.");
        check(!backEnd.isEmpty(), "A packet source needs a back-end, as in tpacket:eth0.");
        check(!target.isEmpty(), "A packet source needs a file or an interface after " + backEnd + ":.");
        check(target.indexOf('\0') < 0 && filter.indexOf('\0') < 0, "Neither target nor filter may hold a zero byte.");
        check(
                snapLength >= 1 && snapLength <= SNAP_LENGTH_MAX,
                "The snap length must be 1 to " + SNAP_LENGTH_MAX + " bytes, not " + snapLength + ".");
        check(ringBytes >= RING_BYTES_MIN, "A ring has at least " + RING_BYTES_MIN + " bytes, not " + ringBytes + ".");
        check(queues >= 1 && queues <= 256, "The number of queues must be 1 to 256, not " + queues + ".");
        check(queue >= 0, "Queues are numbered from 0, not " + queue + ".");
        check(speed >= 0 && speed < Double.POSITIVE_INFINITY, "The speed must be 0 or more, not " + speed + ".");
    }

    /**
     * Returns the default options for a source: {@code file:x.pcap}, {@code tpacket:eth0}, {@code libpcap:eth0}, {@code
     * af_xdp:eth0@2} (only receive queue 2), <code>netmap:p}1</code>; a source without a back-end is a file.
     */
    public static CaptureOptions of(String source) {
        int colon = source.indexOf(':');
        String backEnd = colon < 0 ? "" : source.substring(0, colon);
        if (!Captures.BACK_ENDS.contains(backEnd)) {
            return defaults(Captures.FILE, source, RING_BYTES_DEFAULT);
        }
        String target = source.substring(colon + 1);
        if (!backEnd.equals(Captures.AF_XDP)) {
            return defaults(backEnd, target, RING_BYTES_DEFAULT);
        }
        check(
                target.matches("[^@]+(@\\d{1,4})?"),
                "The @ of " + source + " must be followed by the number of a queue, as in af_xdp:eth0@0.");
        return defaults(backEnd, target, RING_BYTES_AF_XDP);
    }

    private static CaptureOptions defaults(String backEnd, String target, int ringBytes) {
        return new CaptureOptions(backEnd, target, "", SNAP_LENGTH_MAX, ringBytes, 0, 1, true, false, false, 0);
    }

    /** Returns a copy with another filter. */
    public CaptureOptions withFilter(String other) {
        return with(draft -> draft.filter = other);
    }

    /** Returns a copy with another snap length, in bytes. */
    public CaptureOptions withSnapLength(int other) {
        return with(draft -> draft.snapLength = other);
    }

    /** Returns a copy with another ring size, in bytes. */
    public CaptureOptions withRingBytes(int other) {
        return with(draft -> draft.ringBytes = other);
    }

    /** Returns a copy for queue {@code number}, from 0, of {@code count} queues sharing the packets. */
    public CaptureOptions withQueue(int number, int count) {
        return with(draft -> {
            draft.queue = number;
            draft.queues = count;
        });
    }

    /** Returns a copy with or without packets for other hosts. */
    public CaptureOptions withPromiscuous(boolean other) {
        return with(draft -> draft.promiscuous = other);
    }

    /** Returns a copy with or without the zero-copy requirement. */
    public CaptureOptions withZeroCopy(boolean other) {
        return with(draft -> draft.zeroCopy = other);
    }

    /** Returns a copy with spinning or sleeping waits. */
    public CaptureOptions withBusyPoll(boolean other) {
        return with(draft -> draft.busyPoll = other);
    }

    /** Returns a copy with another replay speed. */
    public CaptureOptions withSpeed(double other) {
        return with(draft -> draft.speed = other);
    }

    private CaptureOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options(backEnd, target);
    }

    /** Mutable copy of the options. */
    private static final class Draft {
        private String filter;
        private int snapLength;
        private int ringBytes;
        private int queue;
        private int queues;
        private boolean promiscuous;
        private boolean zeroCopy;
        private boolean busyPoll;
        private double speed;

        Draft(CaptureOptions options) {
            filter = options.filter;
            snapLength = options.snapLength;
            ringBytes = options.ringBytes;
            queue = options.queue;
            queues = options.queues;
            promiscuous = options.promiscuous;
            zeroCopy = options.zeroCopy;
            busyPoll = options.busyPoll;
            speed = options.speed;
        }

        CaptureOptions options(String backEnd, String target) {
            return new CaptureOptions(
                    backEnd,
                    target,
                    filter,
                    snapLength,
                    ringBytes,
                    queue,
                    queues,
                    promiscuous,
                    zeroCopy,
                    busyPoll,
                    speed);
        }
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
