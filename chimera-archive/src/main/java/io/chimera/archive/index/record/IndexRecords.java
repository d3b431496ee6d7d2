package io.chimera.archive.index.record;

import io.chimera.archive.index.key.KeyBits;
import io.chimera.archive.index.key.KeyTable;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.common.error.ChimeraException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads records of an index stream by handle, with counters. Returns null for a damaged or overwritten record: its
 * intervals are visited without the record. Single-threaded.
 */
public final class IndexRecords implements AutoCloseable {
    private final KeyTable keys;
    private final StreamReader reader;
    private final RecordInput in;
    private final RecordView view = new RecordView();
    private long reads;
    private long bytes;
    private long damaged;

    public IndexRecords(StreamReader reader, KeyTable keys) {
        this.reader = reader;
        this.keys = keys;
        in = new RecordInput(keys);
    }

    /** Decodes a record of the expected type. */
    @FunctionalInterface
    private interface Decoder<T> {
        T decode(RecordInput in) throws DamagedRecordException;
    }

    public @Nullable BundleRecord bundle(RecordHandle handle) {
        return read(handle, BundleRecord.TYPE, record -> BundleRecord.decode(record, keys));
    }

    /** Returns the intervals of a group. */
    public @Nullable List<IntervalEntry> group(RecordHandle handle) {
        return read(handle, GroupRecord.TYPE, record -> GroupRecord.decode(record, keys));
    }

    /** Returns the groups of a bundle with all of some bits of one slice record. */
    public byte @Nullable [] slices(RecordHandle handle, SliceProbe probe) {
        return read(handle, SliceRecord.TYPE, record -> probe.groups(record, view.buffer()));
    }

    /** Returns the level-2 signatures of a bundle. */
    public long @Nullable [][] signatures(BundleRecord bundle) {
        long[][] signatures = new long[bundle.groups().size()][bundle.blocks() * KeyBits.BLOCK_LONGS];
        for (RecordHandle handle : bundle.slices()) {
            Boolean isRead = read(handle, SliceRecord.TYPE, record -> {
                SliceRecord.unslice(record, view.buffer(), signatures);
                return true;
            });
            if (isRead == null) {
                return null;
            }
        }
        return signatures;
    }

    private <T> @Nullable T read(RecordHandle handle, byte type, Decoder<T> decoder) {
        reads++;
        try {
            if (!reader.read(handle, view)) {
                return null;
            }
            bytes += view.buffer().capacity();
            return decoder.decode(in.begin(view.buffer(), type));
        } catch (DamagedRecordException | ChimeraException e) {
            damaged++;
            return null;
        }
    }

    public long reads() {
        return reads;
    }

    public long bytes() {
        return bytes;
    }

    public long damaged() {
        return damaged;
    }

    @Override
    public void close() {
        reader.close();
    }
}
