package io.chimera.bench.peers.storm;

import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.tuple.Values;

/**
 * Emits a hundred empty tuples per second while a spout is idle. Storm 2.8 moves tuples for a full queue into a batch
 * later without marking the batch for a flush ({@code ExecutorTransfer.tryTransferLocal} for pending emits): without
 * later tuples the end of a pass might never arrive. Used by one spout's thread.
 */
final class Nudges {
    /**
     * Stream of the empty tuples; every bolt receives the stream from all senders, and forwards it to any bolts after
     * itself.
     */
    static final String STREAM = "nudges";

    /** Field of a tuple with the number of the pass. */
    static final String FIELD = "pass";

    private static final long PERIOD_NS = 10_000_000;

    private final SpoutOutputCollector collector;
    private long sentNs = System.nanoTime();

    Nudges(SpoutOutputCollector collector) {
        this.collector = collector;
    }

    /** Emits a tuple if due. */
    void send(int pass) {
        long now = System.nanoTime();
        if (now - sentNs > PERIOD_NS) {
            sentNs = now;
            collector.emit(STREAM, new Values(pass));
        }
    }
}
