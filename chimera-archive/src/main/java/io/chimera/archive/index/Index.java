package io.chimera.archive.index;

import io.chimera.archive.streamfs.RecordHandle;
import io.chimera.archive.streamfs.RecordView;
import io.chimera.archive.streamfs.StreamReader;
import io.chimera.archive.streamfs.StreamStore;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index of one data stream: what the writer publishes and searches read. Made on the writer's thread; {@link #search} may
 * be called on any.
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

    // the writer's
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
     * Opens the index of a data stream. Finds the records of the index stream, reading a few of them. An index that cannot be read, or was
     * written by another version or with other keys, counts as none, which the log says: the data are read unasked.
     *
     * @param dataStream number of the stream whose records are the intervals
     * @param indexStream number of the stream for the index
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
                countsAsNone("was written by another version, or with other keys");
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
                "The index in stream {} {}: it counts as none, and nothing is lost. Questions read all of stream {} in the time that"
                        + " they are about: give them 'after' and 'before'. Whoever writes to stream {} again indexes its"
                        + " newest {} intervals once more, and all that come.",
                name(indexStream),
                why,
                data,
                data,
                settings.rebuiltIntervalsMax());
    }

    private String name(int stream) {
        return TimeOfNumber.status(store, stream).settings().name();
    }

    /** The only writer. On its thread; {@link IndexWriter#rebuild} comes first. */
    public IndexWriter writer() {
        if (writer == null) {
            newest = lastNumber();
            writer = new IndexWriter(this, new IndexAppender(this, state.open()));
        }
        return writer;
    }

    /** A new search with a reader of its own. Without a writer, what is not in the index stream is visited unasked. */
    public IndexSearch search() {
        return new IndexSearch(this);
    }

    /** What others may be told of its groups, with a reader of its own. */
    public IndexGroups groups() {
        return new IndexGroups(this);
    }

    /** Number of the newest interval that every search which begins from now on sees; the greatest there is without a writer. Any thread. */
    public long newestNumber() {
        return newest;
    }

    /** An interval can be found from now on. Writer's thread. */
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

    /** Number of the last interval in a bundle of the index stream; 0 if there is none. */
    long lastNumber() {
        List<BundleEntry> bundles = state.bundles();
        return bundles.isEmpty() ? 0 : bundles.get(bundles.size() - 1).lastNumber();
    }

    /** A time not after that of the interval; the least there is if it is not known. */
    long lastFirstNs() {
        List<BundleEntry> bundles = state.bundles();
        return bundles.isEmpty()
                ? Long.MIN_VALUE
                : bundles.get(bundles.size() - 1).firstNs();
    }

    /** Bundles that the next bundle record names. Writer's thread. */
    List<BundleEntry> run() {
        return List.copyOf(run);
    }

    /** The last bundle of the run before. Writer's thread. */
    RecordHandle runBefore() {
        return runBefore;
    }

    /** What new records name as the newest bundle. Writer's thread. */
    void newestBundle(RecordOutput out) {
        List<BundleEntry> bundles = state.bundles();
        if (!bundles.isEmpty()) {
            out.newestBundle(bundles.get(bundles.size() - 1).record());
        }
    }

    /** A bundle is full, and another takes what comes. Writer's thread. */
    void closing(Bundle closing, Bundle open) {
        state = new IndexState(state.bundles(), closing, open, state.rebuiltNumber());
    }

    /** The full bundle is in the index stream. Bundles whose data is gone are forgotten. Writer's thread. */
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

    /** Looks whether the oldest bundles are still there: a read of some KiB for each bundle that is appended. */
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
            return; // damaged, which searches tell
        }
    }

    /** Once for as long as it is written: {@link #outlived} goes on counting. */
    private void tellOutlived() {
        LOG.warn(
                "The index in stream {} is overwritten before its data: questions read the oldest intervals of stream {} unasked, and"
                        + " nothing is lost. Make the guarantee of stream {} smaller, so that more of the volume is left to its"
                        + " index, or the volume larger; the metric intervals_outlived counts them.",
                name(indexStream),
                name(dataStream),
                name(dataStream));
    }

    /** Intervals that were held when the bundle about them was not any more. Writer's thread. */
    long outlived() {
        return outlived;
    }

    /** Everything in the data stream is indexed, but for what could not be read. Writer's thread. */
    void rebuilt() {
        newest = store.appended(dataStream);
        state = new IndexState(state.bundles(), state.closing(), state.open(), newest);
    }
}
