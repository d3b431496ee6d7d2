package io.chimera.queue.capture;

import io.chimera.api.HotPath;
import io.chimera.common.agent.Clock;
import io.chimera.queue.flow.FlowRecord;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * SINK of Fais et al. 2021, section 5.1: hands the records of a batch on. What the ring of the node does not take waits here, and the
 * statistics are told to keep their records meanwhile; there is room for those that are under way. One thread, but for
 * {@link #isBehind}.
 */
final class RecordSink {
    /** A point waits no longer than this for others to go with it. */
    private static final long PUBLISH_MS = 50;

    private final FlowOutlet outlet;
    private final Clock clock;
    private final int capacity;
    private final UnsafeBuffer waiting;
    private final FlowRecord record = new FlowRecord();
    private int first;
    private int count;
    private long publishedMs;
    private volatile boolean isBehind;

    /**
     * A sink.
     *
     * @param batchesMax batches that may be under way from the statistics to here
     */
    RecordSink(FlowOutlet outlet, Clock clock, int batchesMax) {
        this.outlet = outlet;
        this.clock = clock;
        capacity = batchesMax * TupleBatch.RECORDS_MAX;
        waiting = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity * FlowRecord.LENGTH));
    }

    /** Whether records should rather stay where they are. Any thread. */
    @HotPath
    boolean isBehind() {
        return isBehind;
    }

    /** Takes the records of a batch. */
    @HotPath
    void run(TupleBatch batch) {
        for (int i = 0; i < batch.records(); i++) {
            FlowRecord ended = batch.record(i);
            if (isBehind || !outlet.add(ended)) {
                keep(ended);
            }
        }
    }

    private void keep(FlowRecord ended) {
        int place = (first + count) % capacity;
        ended.copyTo(waiting, place * FlowRecord.LENGTH);
        count++;
        isBehind = true;
    }

    /** Tries again what had to wait, and hands on what has waited for long enough; to be called often. */
    @HotPath
    int pump() {
        int done = 0;
        while (count > 0 && outlet.add(record.wrap(waiting, first * FlowRecord.LENGTH))) {
            first = (first + 1) % capacity;
            count--;
            done++;
        }
        if (isBehind && count == 0) {
            isBehind = false;
        }
        long nowMs = clock.epochMs();
        if (nowMs - publishedMs >= PUBLISH_MS && outlet.publish()) {
            publishedMs = nowMs;
        }
        return done;
    }

    /** Hands everything on, if there is room; false when there is more. */
    boolean finish() {
        pump();
        return count == 0 && outlet.publish();
    }
}
