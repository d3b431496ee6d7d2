package io.chimera.bench.capture;

import io.chimera.bench.report.Work;
import java.io.IOException;

/** Somebody who receives packets on the wire in a process of its own. */
interface Receiver {
    /** Receives while packets are sent, and until all of it has come. */
    Received receive(Work sending) throws IOException, InterruptedException;
}
