package io.chimera.bench.capture;

import java.io.IOException;

/** Somebody who receives packets on the wire in a process of its own. */
interface Receiver {
    /** Something that sends packets. */
    @FunctionalInterface
    interface Sending {
        /** Sends them. */
        void run() throws IOException, InterruptedException;
    }

    /** Receives while something is sent, and until all of it has come. */
    Received receive(Sending sending) throws IOException, InterruptedException;
}
