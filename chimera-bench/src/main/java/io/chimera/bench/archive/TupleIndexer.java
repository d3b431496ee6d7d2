package io.chimera.bench.archive;

import io.chimera.archive.index.Index;
import io.chimera.archive.index.IndexKey;
import io.chimera.archive.index.IndexSettings;
import io.chimera.archive.index.IndexWriter;
import io.chimera.archive.index.KeyHash;
import io.chimera.archive.index.Probe;
import io.chimera.archive.index.SignatureKind;
import io.chimera.archive.streamfs.RecordHandle;
import io.chimera.common.packet.PacketTuple;
import java.util.List;
import org.agrona.UnsafeApi;

/** Indexes packets by seven keys: source and destination, their ports, their networks of 24 bits, and the flow. */
public final class TupleIndexer {
    /** Bytes of data that an interval has, as in the archive. */
    private static final int INTERVAL_BYTES = 64 << 10;

    private static final int INTERVAL_HEADER = 32;
    private static final int PACKET_HEADER = 16;
    private static final int PACKET_ALIGNMENT = 8;

    private static final int SOURCE = 0;
    private static final int DESTINATION = 1;
    private static final int SOURCE_PORT = 2;
    private static final int DESTINATION_PORT = 3;
    private static final int SOURCE_NET = 4;
    private static final int DESTINATION_NET = 5;
    private static final int FLOW = 6;
    static final List<IndexKey> KEYS = List.of(
            IndexKey.exact("src"),
            IndexKey.exact("dst"),
            IndexKey.exact("sport"),
            IndexKey.exact("dport"),
            IndexKey.exact("src/24"),
            IndexKey.exact("dst/24"),
            IndexKey.exact("flow"));

    private static final long NET_MASK = 0x00FF_FFFF_FFFF_FFFFL; // the last byte of an address is the highest in memory
    private static final long IPV4 = 1L << 63;

    private final IndexStore store;
    private final Index index;
    private final IndexWriter writer;
    private long number;

    /**
     * An index in memory.
     *
     * @param isKept whether it is kept for searches or thrown away
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

    /** Indexes packets, an interval for every 64 KiB of them. */
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
        writer.doWork();
    }

    /** Appends what is due, the bundle as it is included. */
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
        long addresses = (source >>> 32) | (destination & 0xFFFF_FFFF_0000_0000L);
        if (writer.isRecent(addresses, ports | IPV4)) {
            return;
        }
        writer.add(SOURCE, KeyHash.of(0, source));
        writer.add(DESTINATION, KeyHash.of(0, destination));
        writer.add(SOURCE_NET, KeyHash.of(0, source & NET_MASK));
        writer.add(DESTINATION_NET, KeyHash.of(0, destination & NET_MASK));
        writer.add(FLOW, KeyHash.of(addresses, ports));
        addPorts(ports);
    }

    private void addV6(long tuple, long source, long destination, long ports) {
        long sourceNet = UnsafeApi.getLong(tuple);
        long destinationNet = UnsafeApi.getLong(tuple + 16);
        writer.add(SOURCE, KeyHash.of(sourceNet, source));
        writer.add(DESTINATION, KeyHash.of(destinationNet, destination));
        writer.add(SOURCE_NET, KeyHash.of(sourceNet, 0));
        writer.add(DESTINATION_NET, KeyHash.of(destinationNet, 0));
        writer.add(FLOW, KeyHash.of(KeyHash.of(sourceNet, source), KeyHash.of(destinationNet, destination), ports));
        addPorts(ports);
    }

    private void addPorts(long ports) {
        writer.add(SOURCE_PORT, KeyHash.of(ports & 0xFFFF));
        writer.add(DESTINATION_PORT, KeyHash.of((ports >>> 16) & 0xFFFF));
    }

    /** Intervals that were indexed, a millisecond each. */
    long intervals() {
        return number;
    }

    /** What was indexed, for searches. */
    Index index() {
        return index;
    }

    /** A probe for packets from an address, as it is in the upper half of the lower long of a tuple. */
    static Probe from(int address) {
        return Probe.exact(SOURCE, KeyHash.of(0, (long) address << Integer.SIZE | 0xFFFF_0000L));
    }

    /** Bytes of the index. */
    public long bytes() {
        return store.bytes();
    }

    /** Records of the index. */
    public long records() {
        return store.records();
    }
}
