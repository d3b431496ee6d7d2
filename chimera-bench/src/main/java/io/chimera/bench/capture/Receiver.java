package io.chimera.bench.capture;

import io.chimera.bench.report.Work;
import java.io.IOException;

/** Receiver of packets on the wire, in a separate process. */
interface Receiver {
    /** Receives while packets are sent, and until all have arrived. */
    Received receive(Work sending) throws IOException, InterruptedException;
}
