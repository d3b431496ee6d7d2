package io.chimera.archive.index.key;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;

/** Keys of an index by number. Immutable. */
public final class KeyTable {
    private static final int NONE = -1;

    private final List<IndexKey> keys;
    private final List<IndexKey> ranges;
    private final int[] rangeOf;
    private final int fingerprint;

    public KeyTable(List<IndexKey> keys) {
        this.keys = keys;
        ranges = keys.stream().filter(key -> key.kind() == IndexKey.Kind.RANGE).toList();
        rangeOf = new int[keys.size()];
        for (int i = 0; i < rangeOf.length; i++) {
            rangeOf[i] = keys.get(i).kind() == IndexKey.Kind.RANGE ? ranges.indexOf(keys.get(i)) : NONE;
        }
        CRC32C crc = new CRC32C();
        crc.update(keys.toString().getBytes(StandardCharsets.UTF_8));
        fingerprint = (int) crc.getValue();
        if (keys.stream().map(IndexKey::name).distinct().count() < keys.size()) {
            throw new IllegalArgumentException("Two keys of an index have the same name: " + keys);
        }
    }

    /** Returns the range keys in order. */
    public List<IndexKey> ranges() {
        return ranges;
    }

    /** Returns the position of a range key among the range keys. */
    public int range(int key) {
        return rangeOf[key];
    }

    /** Returns a fingerprint of the keys. */
    public int fingerprint() {
        return fingerprint;
    }

    /** Rejects a probe with an unknown key or a key of the wrong kind: a programming error. */
    public void check(Probe probe) {
        if (probe instanceof Probe.And and) {
            and.probes().forEach(this::check);
        } else if (probe instanceof Probe.Or or) {
            or.probes().forEach(this::check);
        } else if (probe instanceof Probe.Exact exact) {
            check(exact.key(), IndexKey.Kind.EXACT);
        } else if (probe instanceof Probe.Range range) {
            check(range.key(), IndexKey.Kind.RANGE);
        } else if (probe instanceof Probe.Frequent frequent) {
            check(frequent.key(), IndexKey.Kind.RANGE);
        }
    }

    /** Rejects a key without most frequent values: a programming error. */
    public void checkTop(int key) {
        check(key, IndexKey.Kind.RANGE);
        if (keys.get(key).top() == 0) {
            throw new IllegalArgumentException("The index keeps no most frequent values of key "
                    + keys.get(key).name() + ".");
        }
    }

    private void check(int key, IndexKey.Kind kind) {
        if (key < 0 || key >= keys.size() || keys.get(key).kind() != kind) {
            throw new IllegalArgumentException("Key " + key + " of the index is not of kind " + kind + ": " + keys);
        }
    }
}
