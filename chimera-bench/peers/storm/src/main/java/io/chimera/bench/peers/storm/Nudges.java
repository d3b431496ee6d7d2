package io.chimera.bench.peers.storm;

import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.tuple.Values;

/**
 * A hundred tuples a second that say nothing, while a spout has nothing to say. What Storm 2.8 could not put into a full queue it
 * puts into a batch later without noting that there is something to flush ({@code ExecutorTransfer.tryTransferLocal} for
 * pending emits): if nothing were emitted behind the end of a pass, the end might never arrive. Used by one spout's thread.
 */
final class Nudges {
    /** The stream that they are on; every bolt takes it from all, and hands it on where it has bolts behind it. */
    static final String STREAM = "nudges";

    /** What a tuple of it holds: the number of the pass. */
    static final String FIELD = "pass";

    private static final long PERIOD_NS = 10_000_000;

    private final SpoutOutputCollector collector;
    private long sentNs = System.nanoTime();

    Nudges(SpoutOutputCollector collector) {
        this.collector = collector;
    }

    /** Emits one when it is time. */
    void send(int pass) {
        long now = System.nanoTime();
        if (now - sentNs > PERIOD_NS) {
            sentNs = now;
            collector.emit(STREAM, new Values(pass));
        }
    }
}
