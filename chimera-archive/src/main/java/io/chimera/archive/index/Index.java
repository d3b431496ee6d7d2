package io.chimera.archive.index;

import io.chimera.archive.index.key.KeyTable;
import io.chimera.archive.index.record.BundleEntry;
import io.chimera.archive.index.record.BundleRecord;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.index.record.RecordOutput;
import io.chimera.archive.streamfs.store.RecordHandle;
import io.chimera.archive.streamfs.store.RecordView;
import io.chimera.archive.streamfs.store.StreamReader;
import io.chimera.archive.streamfs.store.StreamStore;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Index of one data stream: published by the writer, read by searches. Created on the writer's thread; {@link #search}
 * may be called on any thread.
 */
public final class Index {
    private static final Logger LOG = LoggerFactory.getLogger(Index.class);

    private final StreamStore store;
    private final int dataStream;
    private final int indexStream;
    private final IndexSettings settings;
    private final KeyTable keys;
    private volatile IndexState state;
    private volatile long newest = Long.MAX_VALUE;

    // writer's thread only
    private List<BundleEntry> run;
    private RecordHandle runBefore;
    private IndexWriter writer;
    private long outlived;
    private long outlivedNumber;

    private Index(StreamStore store, int dataStream, int indexStream, IndexSettings settings) {
        this.store = store;
        this.dataStream = dataStream;
        this.indexStream = indexStream;
        this.settings = settings;
        keys = new KeyTable(settings.keys());
    }

    /**
     * Opens the index of a data stream and locates its records with a few reads. An unreadable index, or an index with
     * another version or other keys, is logged and treated as missing: queries then read the data without an index.
     *
     * @param dataStream index of the stream with the intervals
     * @param indexStream index of the stream with the index records
     */
    public static Index open(StreamStore store, int dataStream, int indexStream, IndexSettings settings) {
        settings.check(store.recordLengthMax());
        Index index = new Index(store, dataStream, indexStream, settings);
        index.load();
        return index;
    }

    private void load() {
        try (IndexLoader loader = new IndexLoader(this)) {
            loader.load();
            take(loader.bundles(), loader.run(), loader.runBefore());
            if (loader.isOfOtherMaking()) {
                countsAsNone("has another version or other keys");
            }
        } catch (ChimeraException e) {
            take(List.of(), List.of(), null);
            countsAsNone("cannot be read (" + e.getMessage() + ")");
        }
    }

    private void take(List<BundleEntry> bundles, List<BundleEntry> runHeld, RecordHandle before) {
        run = new ArrayList<>(runHeld);
        runBefore = before;
        state = new IndexState(bundles, null, new Bundle(settings.sliceGroups()), IndexState.NOT_REBUILT);
    }

    private void countsAsNone(String why) {
        String data = name(dataStream);
        LOG.warn(
                "The index in stream {} {}; it is ignored, without loss of data. Queries read all of stream {}"
                        + " in their time span: use 'after' and 'before'. The next writer of stream {} indexes the"
                        + " newest {} intervals again, and all new intervals.",
                name(indexStream),
                why,
                data,
                data,
                settings.rebuiltIntervalsMax());
    }

    private String name(int stream) {
        return TimeOfNumber.status(store, stream).settings().name();
    }

    /** Returns the only writer. Call on the writer's thread; {@link IndexWriter#rebuild} must run first. */
    public IndexWriter writer() {
        if (writer == null) {
            newest = lastNumber();
            writer = new IndexWriter(this, new IndexAppender(this, state.open()));
        }
        return writer;
    }

    /**
     * Creates a search with its own reader. Without a writer, intervals missing in the index stream are visited without
     * a check.
     */
    public IndexSearch search() {
        return new IndexSearch(this);
    }

    /** Creates a view of the groups for other nodes, with its own reader. */
    public IndexGroups groups() {
        return new IndexGroups(this);
    }

    /** Returns the newest interval visible to all later searches; the greatest number without a writer. Any thread. */
    public long newestNumber() {
        return newest;
    }

    /** Marks an interval as searchable. Writer's thread. */
    void ended(long number) {
        newest = number;
    }

    StreamStore store() {
        return store;
    }

    int dataStream() {
        return dataStream;
    }

    int indexStream() {
        return indexStream;
    }

    IndexSettings settings() {
        return settings;
    }

    KeyTable keys() {
        return keys;
    }

    IndexState state() {
        return state;
    }

    /** Returns the last interval in a bundle of the index stream; 0 without bundles. */
    long lastNumber() {
        List<BundleEntry> bundles = state.bundles();
        return bundles.isEmpty() ? 0 : bundles.get(bundles.size() - 1).lastNumber();
    }

    /** Returns a lower bound for the time of that interval; the least long if unknown. */
    long lastFirstNs() {
        List<BundleEntry> bundles = state.bundles();
        return bundles.isEmpty()
                ? Long.MIN_VALUE
                : bundles.get(bundles.size() - 1).firstNs();
    }

    /** Returns the bundles for the run of the next bundle record. Writer's thread. */
    List<BundleEntry> run() {
        return List.copyOf(run);
    }

    /** Returns the last bundle of the previous run. Writer's thread. */
    RecordHandle runBefore() {
        return runBefore;
    }

    /** Sets the newest bundle in the header of new records. Writer's thread. */
    void newestBundle(RecordOutput out) {
        List<BundleEntry> bundles = state.bundles();
        if (!bundles.isEmpty()) {
            out.newestBundle(bundles.get(bundles.size() - 1).record());
        }
    }

    /** Replaces the full bundle by an open one. Writer's thread. */
    void closing(Bundle closing, Bundle open) {
        state = new IndexState(state.bundles(), closing, open, state.rebuiltNumber());
    }

    /**
     * Publishes a full bundle as part of the index stream, and forgets bundles of overwritten data. Writer's thread.
     */
    void appended(BundleEntry bundle) {
        run.add(bundle);
        if (run.size() == BundleRecord.RUN_LENGTH) {
            runBefore = bundle.record();
            run.clear();
        }
        long oldest = store.oldest(dataStream);
        List<BundleEntry> held = new ArrayList<>(state.bundles());
        held.removeIf(entry -> entry.lastNumber() < oldest);
        held.add(bundle);
        state = new IndexState(held, null, state.open(), state.rebuiltNumber());
        countOutlived(oldest);
    }

    /** Checks whether the oldest bundles are still held: one read of a few KiB for each appended bundle. */
    private void countOutlived(long oldest) {
        if (store.oldest(indexStream) == 1) {
            return;
        }
        RecordView view = new RecordView();
        try (StreamReader reader = store.reader()) {
            for (BundleEntry bundle : state.bundles()) {
                if (bundle.lastNumber() > outlivedNumber) {
                    if (reader.read(bundle.record(), view)) {
                        return;
                    }
                    if (outlived == 0) {
                        tellOutlived();
                    }
                    outlived +=
                            bundle.lastNumber() - Math.max(outlivedNumber, Math.max(bundle.firstNumber(), oldest) - 1);
                    outlivedNumber = bundle.lastNumber();
                }
            }
        } catch (ChimeraException e) {
            return; // damage is reported by searches
        }
    }

    /** Logs the overwritten index once per opening; {@link #outlived} continues to count. */
    private void tellOutlived() {
        LOG.warn(
                "The index in stream {} is overwritten before its data; queries read the oldest intervals of stream {}"
                        + " without an index, and no data is lost. Reduce the guarantee of stream {} to leave more room"
                        + " to the index, or use a larger volume; the metric intervals_outlived counts such intervals.",
                name(indexStream),
                name(dataStream),
                name(dataStream));
    }

    /** Returns the number of intervals that outlived their bundle. Writer's thread. */
    long outlived() {
        return outlived;
    }

    /** Marks the rebuild as complete: the whole data stream is indexed, except unreadable records. Writer's thread. */
    void rebuilt() {
        newest = store.appended(dataStream);
        state = new IndexState(state.bundles(), state.closing(), state.open(), newest);
    }
}
