package io.chimera.queue.dispatch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.api.model.FieldType;
import io.chimera.common.cluster.CutRange;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.wire.BatchFeed;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.encode.RecordEncoder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Batches of one stream in a list. */
final class StoredCycles implements Cycles {
    private final List<UnsafeBuffer> batches = new ArrayList<>();
    static final long STREAM = 77;

    final SortedMap<Long, PastCycle> past = new TreeMap<>();

    private long seq;
    boolean coversCycles = true;

    void append(String metric, int count) {
        append(metric, count, Integer.MAX_VALUE);
    }

    void append(String metric, int count, int hosts) {
        RecordEncoder encoder = new RecordEncoder();
        for (int done = 0; done < count; ) {
            UnsafeBuffer batch = new UnsafeBuffer(new byte[BatchLayout.LENGTH_MAX]);
            encoder.open(batch, BatchLayout.HEADER_LENGTH, BatchLayout.LENGTH_MAX);
            int inBatch = Math.min(3_000, count - done);
            for (int i = 0; i < inBatch; i++) {
                byte[] host = ("host" + (seq + i) % hosts).getBytes(UTF_8);
                encoder.begin();
                encoder.metric(metric.getBytes(UTF_8), 0, metric.length());
                encoder.tag("host".getBytes(UTF_8), 0, 4, host, 0, host.length);
                encoder.field("v".getBytes(UTF_8), 0, 1, FieldType.LONG.code(), seq + i);
                assertThat(encoder.end(seq + i, 0)).isZero();
            }
            BatchLayout.seal(batch, 0, encoder.position(), STREAM, seq + 1, inBatch, new CRC32C());
            batches.add(batch);
            seq += inBatch;
            done += inBatch;
        }
    }

    @Override
    public boolean covers(CutRange records) {
        return coversCycles;
    }

    @Override
    public SortedMap<Long, PastCycle> past() {
        return past;
    }

    @Override
    public BatchFeed open(CutRange records) {
        Iterator<UnsafeBuffer> all = batches.iterator();
        return new BatchFeed() {
            private UnsafeBuffer current;

            @Override
            public Step next() {
                current = all.hasNext() ? all.next() : null;
                return current == null ? Step.END : Step.BATCH;
            }

            @Override
            public DirectBuffer buffer() {
                return current;
            }

            @Override
            public int offset() {
                return 0;
            }

            @Override
            public void close() {}
        };
    }
}
