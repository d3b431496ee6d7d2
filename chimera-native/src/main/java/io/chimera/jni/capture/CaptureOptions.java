package io.chimera.jni.capture;

import java.util.Objects;
import java.util.function.Consumer;

/**
 * What to capture, and how.
 *
 * @param backEnd {@code file}, {@code libpcap}, {@code tpacket}, {@code af_xdp} or {@code netmap}
 * @param target a file, an interface ({@code eth0@2} for receive queue 2 alone, in af_xdp), or a port of netmap
 * @param filter in the language of pcap ({@code tcp port 80}); empty for all packets
 * @param snapLength bytes of a packet that are wanted; what is longer is cut
 * @param ringBytes for packets that wait to be received; rounded to what the back-end can do. Files need none
 * @param queue which of the queues this capture reads, from 0
 * @param queues captures that share the packets of the interface, each opened with a {@code queue} of its own
 * @param promiscuous whether packets for other hosts are wanted too
 * @param zeroCopy whether to refuse an interface from which packets have to be copied; only af_xdp knows it
 * @param busyPoll whether waiting burns a core rather than sleeps
 * @param speed of files: 0 as fast as possible, 1 as recorded, 2 twice as fast
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

    /** Whole packets: no interface has longer ones, and no capture file of one. */
    public static final int SNAP_LENGTH_MAX = 262_144;

    /** A quarter of a second at 1 Gb/s: 125 MB/s x 0.25 s = 31 MB. */
    public static final int RING_BYTES_DEFAULT = 32 * 1024 * 1024;

    /** A frame of 2 KiB for a packet of any length, and frames for 20 ms at 1.6 M packets/s: 32,768 x 2 KiB. */
    public static final int RING_BYTES_AF_XDP = 64 * 1024 * 1024;

    private static final int RING_BYTES_MIN = 64 * 1024;

    /** Checks what does not depend on the back-end. */
    public CaptureOptions {
        Objects.requireNonNull(filter, "An empty filter stands for all packets.");
        check(!backEnd.isEmpty(), "A source of packets needs a back-end, as in tpacket:eth0.");
        check(!target.isEmpty(), "A source of packets needs a file or an interface behind " + backEnd + ":.");
        check(target.indexOf('\0') < 0 && filter.indexOf('\0') < 0, "Neither target nor filter may hold a zero byte.");
        check(
                snapLength >= 1 && snapLength <= SNAP_LENGTH_MAX,
                "The snap length is 1 to " + SNAP_LENGTH_MAX + " bytes, not " + snapLength + ".");
        check(ringBytes >= RING_BYTES_MIN, "A ring has at least " + RING_BYTES_MIN + " bytes, not " + ringBytes + ".");
        check(queues >= 1 && queues <= 256, "There are 1 to 256 queues, not " + queues + ".");
        check(queue >= 0, "Queues are numbered from 0, not " + queue + ".");
        check(speed >= 0 && speed < Double.POSITIVE_INFINITY, "The speed is 0 or more, not " + speed + ".");
    }

    /**
     * The defaults for a source: {@code file:x.pcap}, {@code tpacket:eth0}, {@code libpcap:eth0}, {@code af_xdp:eth0@2}
     * (its receive queue 2 alone), <code>netmap:p}1</code>; what begins with no back-end is a file.
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
                "Behind the @ of " + source + " stands the number of a queue, as in af_xdp:eth0@0.");
        return defaults(backEnd, target, RING_BYTES_AF_XDP);
    }

    private static CaptureOptions defaults(String backEnd, String target, int ringBytes) {
        return new CaptureOptions(backEnd, target, "", SNAP_LENGTH_MAX, ringBytes, 0, 1, true, false, false, 0);
    }

    /** The same with another filter. */
    public CaptureOptions withFilter(String other) {
        return with(draft -> draft.filter = other);
    }

    /** The same with another snap length, in bytes. */
    public CaptureOptions withSnapLength(int other) {
        return with(draft -> draft.snapLength = other);
    }

    /** The same with another size of the ring, in bytes. */
    public CaptureOptions withRingBytes(int other) {
        return with(draft -> draft.ringBytes = other);
    }

    /** The same for queue {@code number}, from 0, of {@code count} that share the packets. */
    public CaptureOptions withQueue(int number, int count) {
        return with(draft -> {
            draft.queue = number;
            draft.queues = count;
        });
    }

    /** The same with or without packets for other hosts. */
    public CaptureOptions withPromiscuous(boolean other) {
        return with(draft -> draft.promiscuous = other);
    }

    /** The same, which refuses to copy packets or does not mind. */
    public CaptureOptions withZeroCopy(boolean other) {
        return with(draft -> draft.zeroCopy = other);
    }

    /** The same, waiting awake or asleep. */
    public CaptureOptions withBusyPoll(boolean other) {
        return with(draft -> draft.busyPoll = other);
    }

    /** The same at another speed of replay. */
    public CaptureOptions withSpeed(double other) {
        return with(draft -> draft.speed = other);
    }

    private CaptureOptions with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.options(backEnd, target);
    }

    /** Options while one of them changes. */
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
