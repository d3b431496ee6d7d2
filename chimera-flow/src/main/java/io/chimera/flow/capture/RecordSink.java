package io.chimera.flow.capture;

import io.chimera.api.HotPath;
import io.chimera.common.agent.Clock;
import io.chimera.flow.table.FlowRecord;
import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Passes the records of a batch to the ring (SINK of Fais et al. 2021, section 5.1). Records refused by the ring wait
 * here, with room for all records in flight; meanwhile the statistics keep further records in the table. Used by one
 * thread, except for {@link #isBehind}.
 */
final class RecordSink {
    /** Maximum time a point waits for its batch to fill. */
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
     * Creates a sink.
     *
     * @param batchesMax maximum number of batches in flight between the statistics and this sink
     */
    RecordSink(FlowOutlet outlet, Clock clock, int batchesMax) {
        this.outlet = outlet;
        this.clock = clock;
        capacity = batchesMax * TupleBatch.RECORDS_MAX;
        waiting = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity * FlowRecord.LENGTH));
    }

    /** Whether the statistics should keep ended records in the table. Thread-safe. */
    @HotPath
    boolean isBehind() {
        return isBehind;
    }

    /** Passes on the records of a batch. */
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

    /** Retries waiting records, and publishes a batch after {@link #PUBLISH_MS}; to be called frequently. */
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

    /** Passes on all remaining records; false when the ring is full. */
    boolean finish() {
        pump();
        return count == 0 && outlet.publish();
    }
}
