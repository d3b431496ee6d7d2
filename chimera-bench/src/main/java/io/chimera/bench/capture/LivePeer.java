package io.chimera.bench.capture;

import io.chimera.jni.capture.CaptureCounters;
import io.chimera.jni.capture.CaptureOptions;
import io.chimera.jni.capture.Captures;
import io.chimera.jni.capture.PacketCapture;
import java.io.IOException;
import java.util.function.IntUnaryOperator;

/**
 * A process that does a job with the packets of an interface until its standard input ends: source, job. For each line there it
 * says, once no packets come, how many have come and how many were dropped.
 */
public final class LivePeer {
    static final String READY = "ready";
    static final String MARK = "mark:";

    /** No packets for so long are no packets any more. */
    private static final int QUIET_MS = 50;

    private LivePeer() {}

    /** Runs it. */
    public static void main(String[] arguments) throws IOException {
        CaptureCounters counters = new CaptureCounters();
        try (PacketCapture capture = Captures.open(CaptureOptions.of(arguments[0]))) {
            IntUnaryOperator job = LiveJob.valueOf(arguments[1]).over(capture);
            System.out.println(READY);
            while (true) {
                if (job.applyAsInt(QUIET_MS) > 0 || System.in.available() == 0) {
                    continue;
                }
                if (System.in.read() == 'q') {
                    return;
                }
                System.in.skipNBytes(1);
                capture.counters(counters);
                long dropped = Math.max(counters.droppedRing(), counters.droppedInterface());
                System.out.println(MARK + " " + counters.received() + " " + dropped);
            }
        }
    }
}
