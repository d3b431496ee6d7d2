package io.chimera.bench.capture;

import io.chimera.jni.capture.CaptureCounters;
import io.chimera.jni.capture.CaptureOptions;
import io.chimera.jni.capture.Captures;
import io.chimera.jni.capture.PacketCapture;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;

/**
 * Process that runs a job on the packets of an interface, until standard input ends. Its arguments are source and job.
 * For each input byte, once packets stop, the process prints the number of received packets, the number of dropped
 * packets, and its processor time in seconds.
 */
public final class LivePeer {
    static final String READY = "ready";
    static final String MARK = "mark:";

    /** Time without packets after which the stream counts as ended. */
    private static final int QUIET_MS = 50;

    private static final int ENDED = -1;

    private LivePeer() {}

    /** Runs the process. */
    public static void main(String[] arguments) throws IOException {
        AtomicInteger asked = new AtomicInteger();
        Thread orders = new Thread(() -> listen(asked), "orders");
        orders.setDaemon(true);
        orders.start();
        long pid = ProcessHandle.current().pid();
        CaptureCounters counters = new CaptureCounters();
        try (PacketCapture capture = Captures.open(CaptureOptions.of(arguments[0]))) {
            IntUnaryOperator job = LiveJob.valueOf(arguments[1]).over(capture);
            System.out.println(READY);
            int answered = 0;
            while (asked.get() != ENDED) {
                if (job.applyAsInt(QUIET_MS) == 0 && asked.get() > answered) {
                    answered++;
                    capture.counters(counters);
                    long dropped = Math.max(counters.droppedRing(), counters.droppedInterface());
                    System.out.println(
                            MARK + " " + counters.received() + " " + dropped + " " + ThreadTimes.cpuSeconds(pid));
                }
            }
        }
    }

    private static void listen(AtomicInteger asked) {
        try {
            while (System.in.read() >= 0) {
                asked.incrementAndGet();
            }
        } catch (IOException e) {
            System.err.println("Orders ended: " + e.getMessage());
        }
        asked.set(ENDED);
    }
}
