package io.chimera.archive.index;

import io.chimera.archive.index.key.IndexKey;
import io.chimera.archive.index.key.KeyBits;
import io.chimera.archive.index.key.KeyTable;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.key.RangeSummary;
import io.chimera.archive.index.key.SignatureKind;
import io.chimera.archive.index.record.DamagedRecordException;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.index.record.RangeCodec;
import io.chimera.archive.index.record.RecordInput;
import io.chimera.archive.index.record.RecordOutput;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/**
 * Messages between nodes about their indexes, in the format of index records: with a checksum, and rejected if the keys
 * differ. Single-threaded.
 */
public final class IndexMessages {
    private static final int EVERYTHING = 0;
    private static final int EXACT = 1;
    private static final int RANGE = 2;
    private static final int FREQUENT = 3;
    private static final int AND = 4;
    private static final int OR = 5;
    private static final int DEPTH_MAX = 256;
    private static final int PARTS_MAX = 64 << 10;
    private static final KeyBits NO_SIGNATURE =
            KeyBits.of(SignatureKind.SPLIT_BLOCK, IndexSettings.GROUP_BITS_PER_KEY_DEFAULT);

    private final KeyTable keys;
    private final RecordOutput out;
    private final RecordInput in;
    private int parts;

    /** Creates the messages for indexes with these keys. */
    public IndexMessages(List<IndexKey> keys) {
        this.keys = new KeyTable(keys);
        out = new RecordOutput(this.keys);
        in = new RecordInput(this.keys);
    }

    /** Returns a fingerprint of the keys. */
    public int fingerprint() {
        return keys.fingerprint();
    }

    /** Begins a message; only one message may be in progress. */
    public RecordOutput begin(byte type) {
        return out.begin(type, NO_SIGNATURE);
    }

    /** Begins to decode a message; the buffer must stay unchanged. */
    public RecordInput open(DirectBuffer message, byte type) throws DamagedRecordException {
        return in.begin(message, type);
    }

    /** Writes a summary into the message. */
    public void put(GroupSummary summary) {
        IndexGroups.Entry group = summary.group();
        out.putCount(group.firstNumber()).putCount(group.lastNumber() - group.firstNumber());
        out.putSigned(group.firstNs()).putCount(group.lastNs() - group.firstNs());
        out.putCount(summary.bits().kind().code()).putCount(summary.bits().bits());
        RangeCodec.put(out, summary.ranges());
        out.putCount(summary.signature().length / KeyBits.BLOCK_LONGS);
        for (long word : summary.signature()) {
            out.putLong(word);
        }
    }

    /** Reads a summary. */
    public GroupSummary summary() throws DamagedRecordException {
        long firstNumber = in.count();
        long lastNumber = firstNumber + in.count();
        long firstNs = in.signed();
        long lastNs = firstNs + in.count();
        SignatureKind kind = SignatureKind.of((byte) in.count(Byte.MAX_VALUE, 0));
        int set = in.count(KeyBits.BITS_MAX, 0);
        if (kind == null || !new KeyBits(kind, set).isValid() || lastNumber < firstNumber || lastNs < firstNs) {
            throw new DamagedRecordException("an impossible group");
        }
        List<RangeSummary> ranges = RangeCodec.ranges(in, keys);
        int blocks = in.count(IndexSettings.GROUP_BLOCKS_MAX, KeyBits.BLOCK_BYTES);
        if (blocks == 0) {
            throw new DamagedRecordException("a group without a signature");
        }
        return new GroupSummary(
                new IndexGroups.Entry(firstNumber, lastNumber, firstNs, lastNs, true),
                new KeyBits(kind, set),
                in.longs(blocks * KeyBits.BLOCK_LONGS),
                ranges,
                keys);
    }

    /** Writes a probe into the message. */
    public void put(Probe probe) {
        if (probe instanceof Probe.Exact exact) {
            out.putCount(EXACT).putCount(exact.key()).putLong(exact.hash());
        } else if (probe instanceof Probe.Range range) {
            out.putCount(RANGE).putCount(range.key()).putSigned(range.low()).putSigned(range.high());
        } else if (probe instanceof Probe.Frequent frequent) {
            out.putCount(FREQUENT).putCount(frequent.key()).putSigned(frequent.value());
            out.putSigned(frequent.count());
        } else if (probe instanceof Probe.And and) {
            put(AND, and.probes());
        } else if (probe instanceof Probe.Or or) {
            put(OR, or.probes());
        } else {
            out.putCount(EVERYTHING);
        }
    }

    private void put(int kind, List<Probe> probes) {
        out.putCount(kind).putCount(probes.size());
        probes.forEach(this::put);
    }

    /** Reads a probe and checks its keys. */
    public Probe probe() throws DamagedRecordException {
        parts = 0;
        Probe probe = probe(0);
        try {
            keys.check(probe);
        } catch (IllegalArgumentException e) {
            throw new DamagedRecordException("a probe with unknown keys");
        }
        return probe;
    }

    private Probe probe(int depth) throws DamagedRecordException {
        if (depth > DEPTH_MAX || ++parts > PARTS_MAX) {
            throw new DamagedRecordException("a probe with too many parts");
        }
        int kind = in.count(OR, 0);
        return switch (kind) {
            case EVERYTHING -> Probe.all();
            case EXACT -> Probe.exact(key(), in.eightBytes());
            case RANGE -> Probe.range(key(), in.signed(), in.signed());
            case FREQUENT -> Probe.frequent(key(), in.signed(), in.signed());
            case AND -> Probe.and(probes(depth));
            default -> Probe.or(probes(depth));
        };
    }

    private int key() throws DamagedRecordException {
        return in.count(Integer.MAX_VALUE, 0);
    }

    private List<Probe> probes(int depth) throws DamagedRecordException {
        int size = in.count(PARTS_MAX, 1);
        List<Probe> probes = new ArrayList<>(Math.min(size, 16));
        for (int i = 0; i < size; i++) {
            probes.add(probe(depth + 1));
        }
        return probes;
    }
}
