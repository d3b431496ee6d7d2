package io.chimera.bench.archive.index;

import io.chimera.archive.index.Index;
import io.chimera.archive.index.IndexWriter;
import io.chimera.archive.index.key.IndexKey;
import io.chimera.archive.index.key.KeyHash;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.key.SignatureKind;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.flow.packet.PacketTuple;
import java.util.List;
import org.agrona.UnsafeApi;

/**
 * Indexes packets by seven keys: source and destination, their ports, their /24 networks, and the flow. As in the
 * archive, keys of both ends share one key of the index, and both directions of a flow have the same key.
 */
public final class TupleIndexer {
    /** Data bytes of an interval, as in the archive. */
    private static final int INTERVAL_BYTES = 64 << 10;

    private static final int INTERVAL_HEADER = 32;
    private static final int PACKET_HEADER = 16;
    private static final int PACKET_ALIGNMENT = 8;

    private static final int ADDRESS = 0;
    private static final int PORT = 1;
    private static final int NET = 2;
    private static final int FLOW = 3;
    static final List<IndexKey> KEYS = List.of(
            IndexKey.exact("address"), IndexKey.exact("port"), IndexKey.exact("address/24"), IndexKey.exact("flow"));

    // the last byte of an address is the most significant byte in memory
    private static final long NET_MASK = 0x00FF_FFFF_FFFF_FFFFL;
    private static final int PORT_BITS = 16;
    private static final long PORT_STEP = 0xC2B2_AE3D_27D4_EB4FL;
    private static final int PORT_MASK = (1 << PORT_BITS) - 1;
    private static final int END_BITS = Integer.SIZE + PORT_BITS;

    private final IndexStore store;
    private final Index index;
    private final IndexWriter writer;
    private long number;

    /**
     * Creates an index in memory.
     *
     * @param isKept whether the index is kept for searches
     */
    public TupleIndexer(SignatureKind kind, boolean isKept) {
        store = new IndexStore(isKept);
        IndexSettings defaults = IndexSettings.of(KEYS);
        IndexSettings settings = new IndexSettings(
                KEYS,
                kind,
                defaults.bitsPerKey(),
                defaults.groupBitsPerKey(),
                defaults.intervalKeysMax(),
                defaults.groupIntervals(),
                defaults.sliceGroups());
        index = Index.open(store, 0, 1, settings);
        writer = index.writer();
        writer.rebuild((record, into) -> {});
    }

    /** Indexes packets, one interval per 64 KiB. */
    public void index(PacketTuples packets) {
        int bytes = INTERVAL_HEADER;
        int items = 0;
        for (int i = 0; i < packets.size(); i++) {
            add(packets.tuple(i));
            items++;
            bytes += (PACKET_HEADER + packets.captured(i) + PACKET_ALIGNMENT - 1) & -PACKET_ALIGNMENT;
            if (bytes >= INTERVAL_BYTES) {
                end(items);
                bytes = INTERVAL_HEADER;
                items = 0;
            }
        }
        if (items > 0) {
            end(items);
        }
    }

    private void end(int items) {
        number++;
        RecordHandle handle = new RecordHandle(number << 16, number * 0x9E37_79B9_7F4A_7C15L);
        writer.endInterval(handle, number, number * 1_000_000, number * 1_000_000 + 900_000, items);
        writer.doWork(number * 1_000_000);
    }

    /** Appends pending records, including the incomplete bundle. */
    public void finish() {
        writer.finish();
    }

    private void add(long tuple) {
        long source = UnsafeApi.getLong(tuple + 8);
        long destination = UnsafeApi.getLong(tuple + 24);
        long ports = UnsafeApi.getLong(tuple + PacketTuple.SOURCE_PORT) & 0xFF_FFFF_FFFFL; // and protocol
        if (UnsafeApi.getByte(tuple + PacketTuple.IP_VERSION) != 4) {
            addV6(tuple, source, destination, ports);
            return;
        }
        long from = (source >>> Integer.SIZE) << PORT_BITS | (ports & PORT_MASK);
        long to = (destination >>> Integer.SIZE) << PORT_BITS | ((ports >>> PORT_BITS) & PORT_MASK);
        long protocol = ports >>> (2 * PORT_BITS);
        if (!writer.isRecent(Math.min(from, to) | (protocol + 1) << END_BITS, Math.max(from, to))) {
            addNets(source & NET_MASK, destination & NET_MASK);
            addEnds(KeyHash.of(source), KeyHash.of(destination), ports);
        }
    }

    private void addV6(long tuple, long source, long destination, long ports) {
        long sourceNet = UnsafeApi.getLong(tuple);
        long destinationNet = UnsafeApi.getLong(tuple + 16);
        writer.isRecent(0, 0);
        addNets(sourceNet, destinationNet);
        addEnds(KeyHash.of(sourceNet, source), KeyHash.of(destinationNet, destination), ports);
    }

    private void addNets(long source, long destination) {
        writer.add(NET, KeyHash.of(source));
        writer.add(NET, KeyHash.of(destination));
    }

    private void addEnds(long source, long destination, long ports) {
        long sourcePort = ports & PORT_MASK;
        long destinationPort = (ports >>> PORT_BITS) & PORT_MASK;
        writer.add(ADDRESS, source);
        writer.add(ADDRESS, destination);
        writer.add(PORT, KeyHash.of(sourcePort));
        writer.add(PORT, KeyHash.of(destinationPort));
        long from = KeyHash.of(source + sourcePort * PORT_STEP);
        long to = KeyHash.of(destination + destinationPort * PORT_STEP);
        writer.add(FLOW, KeyHash.of(from + to + (ports >>> (2 * PORT_BITS))));
    }

    /** Returns the number of intervals, one per millisecond. */
    long intervals() {
        return number;
    }

    /** Returns the index for searches. */
    Index index() {
        return index;
    }

    /**
     * Returns a probe for packets of an address. The argument is the upper half of the lower long of the address in a
     * tuple.
     */
    static Probe of(int address) {
        return Probe.exact(ADDRESS, KeyHash.of((long) address << Integer.SIZE | 0xFFFF_0000L));
    }

    /** Returns the bytes of the index. */
    public long bytes() {
        return store.bytes();
    }

    /** Returns the number of records of the index. */
    public long records() {
        return store.records();
    }
}
