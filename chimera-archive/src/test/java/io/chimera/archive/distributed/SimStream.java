package io.chimera.archive.distributed;

import io.chimera.archive.index.Index;
import io.chimera.archive.index.IndexWriter;
import io.chimera.archive.index.key.SignatureKind;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.query.key.KeySink;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.common.agent.Clock;
import java.nio.ByteOrder;
import java.time.Duration;
import org.agrona.concurrent.UnsafeBuffer;

/** Data stream of a {@link SimNode}: intervals with a few packets, with the real index. */
final class SimStream {
    private static final int FRAME_BYTES = 60;
    private static final int ITEM_BYTES = 16;

    /** Groups of 4 intervals give many groups; groups of a slow stream are shorter. */
    private static final IndexSettings SETTINGS = new IndexSettings(
                    PacketKeys.keys(), SignatureKind.SPLIT_BLOCK, 10, 16, 1024, 4, 64)
            .withGroupAge(Duration.ofNanos(SimNode.SPAN_NS));

    private final String name;
    private final MemoryStreamStore store;
    private final Clock clock;
    private final int data;
    private final int indexStream;
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[ITEM_BYTES * 16]);
    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[FRAME_BYTES]);
    private Index index;
    private IndexWriter writer;

    SimStream(String name, MemoryStreamStore store, Clock clock) {
        this.name = name;
        this.store = store;
        this.clock = clock;
        data = store.open(new StreamSettings(name, "packets", 0));
        indexStream = store.open(new StreamSettings(name + ".index", "index", 0));
    }

    /** Opens the index like a new process. */
    IndexedStream open() {
        index = Index.open(store, data, indexStream, SETTINGS);
        writer = index.writer();
        writer.rebuild((record, into) -> {
            int length = record.buffer().capacity();
            buffer.putBytes(0, record.buffer(), 0, length);
            end(record.handle(), record.number(), length, into);
        });
        return new IndexedStream(name, index);
    }

    /** Archives an interval with packets of a host at these times. */
    void archive(int host, long[] timesNs) {
        long lastNs = Long.MIN_VALUE;
        for (int i = 0; i < timesNs.length; i++) {
            buffer.putLong(i * ITEM_BYTES, timesNs[i]);
            buffer.putLong(i * ITEM_BYTES + 8, host);
            lastNs = Math.max(lastNs, timesNs[i]);
        }
        while (!writer.isReady()) {
            work();
        }
        int length = timesNs.length * ITEM_BYTES;
        RecordHandle handle = store.append(data, lastNs, buffer, 0, length);
        end(handle, store.appended(data), length, writer);
        work();
    }

    /** Runs one turn of the writer's thread. */
    void work() {
        writer.doWork(clock.nanoTime());
        store.doWork();
    }

    private void end(RecordHandle handle, long number, int length, IndexWriter into) {
        long firstNs = Long.MAX_VALUE;
        long lastNs = Long.MIN_VALUE;
        for (int at = 0; at < length; at += ITEM_BYTES) {
            firstNs = Math.min(firstNs, buffer.getLong(at));
            lastNs = Math.max(lastNs, buffer.getLong(at));
        }
        into.begin(firstNs, lastNs);
        PacketKeys keys = new PacketKeys(1, new Sink(into));
        for (int at = 0; at < length; at += ITEM_BYTES) {
            frame.putShort(12, (short) 0x0800, ByteOrder.BIG_ENDIAN);
            frame.putByte(14, (byte) 0x45);
            frame.putByte(23, (byte) 6);
            frame.putInt(26, 10 << 24 | (int) buffer.getLong(at + 8), ByteOrder.BIG_ENDIAN);
            frame.putInt(30, 172 << 24 | 1, ByteOrder.BIG_ENDIAN);
            keys.add(frame, 0, FRAME_BYTES);
        }
        into.endInterval(handle, number, firstNs, lastNs, length / ITEM_BYTES);
    }

    private record Sink(IndexWriter into) implements KeySink {
        @Override
        public void add(int key, long hash) {
            into.add(key, hash);
        }

        @Override
        public void addRange(int key, long value) {
            into.addRange(key, value);
        }

        @Override
        public boolean isRecent(long first, long second) {
            return into.isRecent(first, second);
        }
    }
}
