package io.chimera.archive.index;

import io.chimera.archive.index.key.IndexKey;
import io.chimera.archive.index.key.KeyHash;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.archive.streamfs.store.StreamStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.agrona.ExpandableArrayBuffer;

/** Data stream of small items with its index, and a copy of the items for comparison. */
public final class ArchivedItems {
    static final int A = 0;
    static final int B = 1;
    static final int V = 2;
    public static final List<IndexKey> KEYS = List.of(
            IndexKey.exact("a"),
            IndexKey.exact("b"),
            IndexKey.range("v").withCells(0, 4, 64).withTop(4));

    private static final int ITEM_LENGTH = 4 * Long.BYTES;

    private StreamStore store;
    private final IndexSettings settings;
    private final int data;
    private final int indexStream;
    private final Map<Long, List<Item>> intervals = new TreeMap<>();
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private Index index;
    private IndexWriter writer;

    record Item(long timeNs, long a, long b, long v) {}

    ArchivedItems(StreamStore store, IndexSettings settings) {
        this.store = store;
        this.settings = settings;
        data = store.open(new StreamSettings("data", "items", 0));
        indexStream = store.open(new StreamSettings("data.index", "index", 0));
        open();
    }

    /** Continues with the same streams in a reopened store. */
    void reopen(StreamStore again) {
        store = again;
        store.open(new StreamSettings("data", "items", 0));
        store.open(new StreamSettings("data.index", "index", 0));
    }

    /** Opens the index without its writer. */
    Index openToRead() {
        return openToRead(settings);
    }

    /** Opens the index with other settings, without its writer. */
    Index openToRead(IndexSettings others) {
        return Index.open(store, data, indexStream, others);
    }

    /** Opens the index as after a restart. Returns the number of rebuilt intervals. */
    long open() {
        index = openToRead();
        writer = index.writer();
        return writer.rebuild((record, into) -> end(record, add(record, into)));
    }

    private static List<Item> add(RecordView record, IndexWriter into) {
        List<Item> items = new ArrayList<>();
        for (int at = 0; at < record.buffer().capacity(); at += ITEM_LENGTH) {
            Item item = new Item(
                    record.buffer().getLong(at),
                    record.buffer().getLong(at + 8),
                    record.buffer().getLong(at + 16),
                    record.buffer().getLong(at + 24));
            items.add(item);
        }
        add(items, into);
        return items;
    }

    private static void add(List<Item> items, IndexWriter into) {
        into.begin(first(items), last(items));
        for (Item item : items) {
            if (!into.isRecent(item.a, item.b)) {
                into.add(A, KeyHash.of(item.a));
                into.add(B, KeyHash.of(item.b));
            }
            into.addRange(V, item.v);
        }
    }

    private void end(RecordView record, List<Item> items) {
        writer.endInterval(record.handle(), record.number(), first(items), last(items), items.size());
    }

    /** Archives an interval and moves the clock to its last item. */
    void write(List<Item> items) {
        int length = 0;
        for (Item item : items) {
            buffer.putLong(length, item.timeNs);
            buffer.putLong(length + 8, item.a);
            buffer.putLong(length + 16, item.b);
            buffer.putLong(length + 24, item.v);
            length += ITEM_LENGTH;
        }
        while (!writer.isReady()) {
            store.doWork();
            writer.doWork(last(items));
        }
        add(items, writer);
        RecordHandle handle = store.append(data, last(items), buffer, 0, length);
        while (handle == null) {
            store.doWork();
            handle = store.append(data, last(items), buffer, 0, length);
        }
        long number = store.appended(data);
        writer.endInterval(handle, number, first(items), last(items), items.size());
        writer.doWork(last(items));
        synchronized (intervals) {
            intervals.put(number, items);
        }
    }

    /** Forgets intervals lost by the store. */
    void lost() {
        intervals.keySet().removeIf(number -> number > store.appended(data));
    }

    private static long first(List<Item> items) {
        return items.stream().mapToLong(Item::timeNs).min().orElseThrow();
    }

    private static long last(List<Item> items) {
        return items.stream().mapToLong(Item::timeNs).max().orElseThrow();
    }

    /** Returns the numbers of the intervals with a matching item. */
    List<Long> matching(Probe probe, long afterNs, long beforeNs) {
        List<Long> numbers = new ArrayList<>();
        synchronized (intervals) {
            intervals.forEach((number, items) -> {
                boolean isHeld = number >= store.oldest(data);
                List<Item> asked = items.stream()
                        .filter(item -> item.timeNs >= afterNs && item.timeNs <= beforeNs)
                        .toList();
                if (isHeld && asked.stream().anyMatch(item -> matches(probe, item, items))) {
                    numbers.add(number);
                }
            });
        }
        return numbers;
    }

    private static boolean matches(Probe probe, Item item, List<Item> items) {
        if (probe instanceof Probe.Exact exact) {
            return exact.hash() == KeyHash.of(exact.key() == A ? item.a : item.b);
        }
        if (probe instanceof Probe.Range range) {
            return item.v >= range.low() && item.v <= range.high();
        }
        if (probe instanceof Probe.Frequent frequent) {
            return items.stream().filter(other -> other.v == frequent.value()).count() >= frequent.count();
        }
        if (probe instanceof Probe.And and) {
            return and.probes().stream().allMatch(part -> matches(part, item, items));
        }
        if (probe instanceof Probe.Or or) {
            return or.probes().stream().anyMatch(part -> matches(part, item, items));
        }
        return true;
    }

    Index index() {
        return index;
    }

    IndexWriter writer() {
        return writer;
    }

    int data() {
        return data;
    }

    int indexStream() {
        return indexStream;
    }
}
