package io.chimera.dataset.compute;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.encode.EncodingSink;
import io.chimera.common.wire.encode.RecordEncoder;
import io.chimera.processor.staging.warehouse.ChunkPool;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Computes a split: a sink for its points, which gives pieces per window and pipeline. Which pieces it gives, and what
 * is in them, depends on the points, their order and the memory alone. One thread.
 *
 * <p>The points are encoded in a body. A full body is walked: each record goes to the contents of its window. At most
 * {@link #WINDOWS_MAX} windows are open; the window that was used longest ago is handed over for a new one. All windows
 * are handed over when the aggregates need more than half of the memory, which leaves room for another body.
 */
public final class SplitFold implements EncodingSink, AutoCloseable {
    /** Maximum number of open windows. Data sets are mostly ordered by time, at least roughly. */
    static final int WINDOWS_MAX = 32;

    /** Length of a body: its definitions are few beside its records, and it fits into the cache of a core. */
    private static final int BODY_LENGTH = 1 << 20;

    /** Reason for a time in the last, cut window before the end of all times. */
    private static final String NO_WINDOW = "time outside range 1970 to 2262: its window would end after"
            + " 2262-04-11T23:47:16Z, the last time that can be stored";

    private static final long NO_TIME = -1;
    private static final byte TAKEN = 1;
    private static final byte LEFT = 2;

    private final List<JobPipeline> pipelines;
    private final Windows windows;
    private final ChunkPool pool;
    private final long bytesMax;

    /** Latest time with a window. */
    private final long latestNs;

    private final PieceSink out;
    private final Rejects rejects;
    private final PieceEncoder encoder;
    private final RecordEncoder points = new RecordEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[BODY_LENGTH]);
    private final BodyReader body = new BodyReader();
    private final SeriesFlyweight series = new SeriesFlyweight();

    /** Whether a pipeline takes a series, by pipeline and number of the series in the body; 0 when unknown. */
    private byte[][] takes;

    private final Long2ObjectHashMap<Window> open = new Long2ObjectHashMap<>();
    private @Nullable Window current;
    private long turn;
    private long timeNs;
    private long accepted;
    private long rejected;

    /** First failure: it must not travel through a parser, which may take an exception for its own. */
    private @Nullable IOException failure;

    /** An open window: its contents by pipeline, null before the first record. */
    private static final class Window {
        private final long startNs;
        private final @Nullable WindowContent[] contents;
        private long usedAt;

        Window(long startNs, int pipelines) {
            this.startNs = startNs;
            contents = new WindowContent[pipelines];
        }
    }

    /** Receives the bad events of a split. */
    @FunctionalInterface
    public interface Rejects {
        /**
         * Takes a bad event.
         *
         * @param bytes array with the text of the event
         * @param offset index of the first byte
         * @param length length of the text in bytes
         * @param line number of the line or element, counted as the format does
         * @param reason defect and expected text
         */
        void reject(byte[] bytes, int offset, int length, long line, String reason);
    }

    /**
     * Creates a sink without points.
     *
     * @param pipelines made for the calling thread
     * @param windows windows of the job
     * @param pool memory of the aggregates, owned by the calling thread
     * @param bytesMax memory of the aggregates in bytes, at most the limit of the pool; all windows are handed over at
     *     half of this memory
     * @param out receives the pieces
     * @param rejects receives bad events
     */
    public SplitFold(
            List<JobPipeline> pipelines,
            Windows windows,
            ChunkPool pool,
            long bytesMax,
            PieceSink out,
            Rejects rejects) {
        this.pipelines = List.copyOf(pipelines);
        this.windows = windows;
        latestNs = windows.latestNs();
        this.pool = pool;
        this.bytesMax = bytesMax;
        this.out = out;
        this.rejects = rejects;
        encoder = new PieceEncoder(out);
        takes = new byte[pipelines.size()][64];
        points.open(buffer, 0, BODY_LENGTH);
    }

    /** Number of points accepted so far. */
    public long accepted() {
        return accepted;
    }

    /** Number of events rejected so far. */
    public long rejected() {
        return rejected;
    }

    @Override
    @HotPath
    public boolean begin(int textLength) {
        if (BODY_LENGTH - points.position() < BodyLayout.LENGTH_MAX) {
            walk();
        }
        points.begin();
        timeNs = NO_TIME;
        return true;
    }

    @Override
    @HotPath
    public RecordEncoder encoder() {
        return points;
    }

    @Override
    @HotPath
    public void time(long newTimeNs) {
        timeNs = newTimeNs;
    }

    /**
     * {@inheritDoc} A point without a time is refused: the time of its arrival is not a property of the data set. So is
     * a point without a window.
     */
    @Override
    @HotPath
    public int end() {
        int ended = timeNs > latestNs ? TIME_OUT_OF_RANGE : points.end(timeNs, 0);
        accepted += ended == OK ? 1 : 0;
        return ended;
    }

    @Override
    public void reject(byte[] bytes, int offset, int length, long line, String reason) {
        rejected++;
        boolean concernsTime = reason.equals(PointSink.reasonOf(PointSink.TIME_OUT_OF_RANGE));
        rejects.reject(bytes, offset, length, line, concernsTime ? reasonOfTime() : reason);
    }

    private String reasonOfTime() {
        if (timeNs == NO_TIME) {
            return "missing time: points of a data set carry their own times";
        }
        return timeNs > latestNs ? NO_WINDOW : PointSink.reasonOf(PointSink.TIME_OUT_OF_RANGE);
    }

    @Override
    public long arrivalTimeNs() {
        return NO_TIME;
    }

    /**
     * Checks whether the points so far are aggregated. After a failure, further points are dropped.
     *
     * @throws IOException when a piece could not be kept, or the memory does not suffice
     */
    public void check() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * Ends the split: hands over all windows, in the order of their starts.
     *
     * @throws IOException as for {@link #check}
     */
    public void finish() throws IOException {
        walk();
        check();
        flushAll();
    }

    /** Walks the body and begins the next one. */
    private void walk() {
        try {
            if (failure == null) {
                takeAll();
            }
        } catch (IOException e) {
            failure = e;
        } catch (MemoryLimitException e) {
            fail(e);
        }
        points.open(buffer, 0, BODY_LENGTH);
    }

    @ColdPath
    private void fail(MemoryLimitException e) {
        failure = new IOException(e.getMessage(), e);
    }

    private void takeAll() throws IOException {
        body.wrap(buffer, 0, points.position());
        for (byte[] ofPipeline : takes) {
            Arrays.fill(ofPipeline, (byte) 0);
        }
        while (body.nextRecord()) {
            take();
        }
        for (Window window : open.values()) {
            for (WindowContent content : window.contents) {
                if (content != null) {
                    content.endBody();
                }
            }
        }
        if (pool.bytesUsed() > bytesMax / 2) {
            flushAll();
        }
    }

    private void take() throws IOException {
        long startNs = windows.startOf(body.record().timeNs());
        Window window = current;
        if (window == null || window.startNs != startNs) {
            window = window(startNs);
            current = window;
        }
        int number = body.record().series();
        for (int i = 0; i < pipelines.size(); i++) {
            if (takes(i, number)) {
                content(window, i).add(body);
            }
        }
    }

    private boolean takes(int pipeline, int number) {
        if (number >= takes[pipeline].length) {
            takes[pipeline] = Arrays.copyOf(takes[pipeline], Math.max(number + 1, 2 * takes[pipeline].length));
        }
        byte known = takes[pipeline][number];
        if (known == 0) {
            SeriesFlyweight definition = body.seriesOfRecord();
            series.wrap(definition.buffer(), definition.offset());
            known = pipelines.get(pipeline).where().matches(series) ? TAKEN : LEFT;
            takes[pipeline][number] = known;
        }
        return known == TAKEN;
    }

    private Window window(long startNs) throws IOException {
        Window window = open.get(startNs);
        if (window == null) {
            window = newWindow(startNs);
        }
        window.usedAt = ++turn;
        return window;
    }

    @ColdPath
    private Window newWindow(long startNs) throws IOException {
        if (open.size() == WINDOWS_MAX) {
            closeOldest();
        }
        Window window = new Window(startNs, pipelines.size());
        open.put(startNs, window);
        return window;
    }

    private void closeOldest() throws IOException {
        Window oldest = null;
        for (Window window : open.values()) {
            if (oldest == null || window.usedAt < oldest.usedAt) {
                oldest = window;
            }
        }
        if (oldest != null) {
            open.remove(oldest.startNs);
            flush(oldest);
        }
    }

    private WindowContent content(Window window, int pipeline) {
        WindowContent content = window.contents[pipeline];
        return content == null ? newContent(window, pipeline) : content;
    }

    @ColdPath
    private WindowContent newContent(Window window, int pipeline) {
        JobPipeline of = pipelines.get(pipeline);
        WindowContent content = of.isMergeable()
                ? new AggregatedContent(of, of.warehouse(pool), encoder, window.startNs)
                : new RecordedContent(of.pipeline().ordinal(), window.startNs, out);
        window.contents[pipeline] = content;
        return content;
    }

    @ColdPath
    private void flushAll() throws IOException {
        List<Window> ascending = open.values().stream()
                .sorted(Comparator.comparingLong(window -> window.startNs))
                .toList();
        for (Window window : ascending) {
            flush(window);
        }
        open.clear();
        current = null;
    }

    private static void flush(Window window) throws IOException {
        for (WindowContent content : window.contents) {
            if (content != null) {
                content.flush();
            }
        }
    }

    /** Gives the windows of an unfinished split up, so that the pool serves the next split. */
    @Override
    public void close() {
        for (Window window : open.values()) {
            for (WindowContent content : window.contents) {
                if (content != null) {
                    content.discard();
                }
            }
        }
        open.clear();
        current = null;
    }
}
