package io.chimera.archive.streamfs.store;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Store in memory. An append is durable after the second {@link #doWork}. {@link #keep} drops old records, {@link
 * #refuse} simulates an overloaded device, and {@link #loseUndurable} a loss of power.
 */
public final class MemoryStreamStore implements StreamStore {
    private static final long SECRET = 0x5DEECE66DL;
    private static final int RECORD_LENGTH_MAX = 1 << 20;

    private final List<Stream> streams = new ArrayList<>();
    private boolean refusing;
    private String failure;
    private Runnable beforeAppend = () -> {};

    private static final class Stream {
        private StreamSettings settings;
        private final List<Item> items = new ArrayList<>();
        private long dropped;
        private long written;
        private long durable;

        private Stream(StreamSettings settings) {
            this.settings = settings;
        }

        private long appended() {
            return dropped + items.size();
        }
    }

    private record Item(long timeNs, UnsafeBuffer bytes) {}

    /** Makes {@link #append} return null, or accept records again. */
    public synchronized void refuse(boolean refuses) {
        refusing = refuses;
    }

    /** Sets a hook called before each {@link #append}. */
    public synchronized void beforeAppend(Runnable what) {
        beforeAppend = what;
    }

    /** Makes the store fail like after a failed write. */
    public synchronized void fail(String why) {
        failure = why;
    }

    /** Drops all but the newest records of a stream. */
    public synchronized void keep(int stream, int newest) {
        Stream of = streams.get(stream);
        int drop = Math.max(0, of.items.size() - newest);
        of.items.subList(0, drop).clear();
        of.dropped += drop;
        of.durable = Math.max(of.durable, of.dropped);
        of.written = Math.max(of.written, of.durable);
    }

    /** Forgets undurable records. */
    public synchronized void loseUndurable() {
        for (Stream of : streams) {
            of.items.subList((int) (of.durable - of.dropped), of.items.size()).clear();
            of.written = of.durable;
        }
    }

    @Override
    public synchronized int open(StreamSettings settings) {
        for (int i = 0; i < streams.size(); i++) {
            if (streams.get(i).settings.name().equals(settings.name())) {
                streams.get(i).settings = settings;
                return i;
            }
        }
        streams.add(new Stream(settings));
        return streams.size() - 1;
    }

    @Override
    public synchronized RecordHandle append(int stream, long timeNs, DirectBuffer from, int offset, int length) {
        if (failure != null) {
            throw new ChimeraException(Category.ERROR, failure);
        }
        beforeAppend.run();
        if (refusing) {
            return null;
        }
        Stream of = streams.get(stream);
        byte[] bytes = new byte[length];
        from.getBytes(offset, bytes);
        of.items.add(new Item(timeNs, new UnsafeBuffer(bytes)));
        return handle(stream, of.appended());
    }

    @Override
    public int recordLengthMax() {
        return RECORD_LENGTH_MAX;
    }

    private static RecordHandle handle(int stream, long number) {
        long location = (long) stream << 48 | number;
        return new RecordHandle(location, location * SECRET);
    }

    @Override
    public synchronized int doWork() {
        int work = 0;
        for (Stream of : streams) {
            if (of.durable < of.appended()) {
                work++;
            }
            of.durable = of.written;
            of.written = of.appended();
        }
        return work;
    }

    @Override
    public void sync() {
        // The next doWork writes everything.
    }

    @Override
    public synchronized long appended(int stream) {
        return streams.get(stream).appended();
    }

    @Override
    public synchronized long durable(int stream) {
        return streams.get(stream).durable;
    }

    @Override
    public synchronized long oldest(int stream) {
        return streams.get(stream).dropped + 1;
    }

    @Override
    public StreamReader reader() {
        return new Reader();
    }

    @Override
    public synchronized List<StreamStatus> streams() {
        List<StreamStatus> all = new ArrayList<>();
        for (int i = 0; i < streams.size(); i++) {
            Stream of = streams.get(i);
            long bytes =
                    of.items.stream().mapToLong(item -> item.bytes.capacity()).sum();
            long oldestNs = of.items.stream().mapToLong(Item::timeNs).min().orElse(Long.MAX_VALUE);
            all.add(new StreamStatus(
                    i, of.settings, of.appended(), of.durable, of.dropped + 1, oldestNs, of.items.size(), bytes));
        }
        return all;
    }

    @Override
    public synchronized VolumeStatus status() {
        return new VolumeStatus(1, Long.MAX_VALUE, 0, Long.MAX_VALUE, 0, 0, 0, 0, 0, 0, failure);
    }

    @Override
    public synchronized void close() {
        for (Stream of : streams) {
            of.written = of.appended();
            of.durable = of.appended();
        }
    }

    /** Returns copies, so results stay valid when records are dropped. */
    private final class Reader implements StreamReader {
        @Override
        public boolean read(RecordHandle handle, RecordView into) {
            synchronized (MemoryStreamStore.this) {
                int stream = (int) (handle.location() >>> 48);
                if (handle.check() != handle.location() * SECRET || stream >= streams.size()) {
                    throw new ChimeraException(Category.ERROR, "Handle " + handle + " is not of this volume.");
                }
                return view(stream, handle.location() & 0xFFFF_FFFF_FFFFL, into);
            }
        }

        private boolean view(int stream, long number, RecordView into) {
            Stream of = streams.get(stream);
            if (number <= of.dropped || number > of.appended()) {
                return false;
            }
            Item item = of.items.get((int) (number - of.dropped - 1));
            RecordHandle handle = handle(stream, number);
            into.wrap(stream, number, item.timeNs, handle.location(), handle.check());
            into.buffer().wrap(item.bytes);
            return true;
        }

        @Override
        public StreamCursor cursor(int stream, long fromNs) {
            synchronized (MemoryStreamStore.this) {
                Stream of = streams.get(stream);
                int first = 0;
                while (first < of.items.size() && of.items.get(first).timeNs < fromNs) {
                    first++;
                }
                // the record before may reach the time
                return new Cursor(this, stream, of.dropped + Math.max(1, first));
            }
        }

        @Override
        public void close() {
            // No resources.
        }
    }

    private final class Cursor implements StreamCursor {
        private final Reader reader;
        private final int stream;
        private long number;

        private Cursor(Reader reader, int stream, long number) {
            this.reader = reader;
            this.stream = stream;
            this.number = number;
        }

        @Override
        public boolean next(RecordView into) {
            synchronized (MemoryStreamStore.this) {
                number = Math.max(number, streams.get(stream).dropped + 1);
                if (!reader.view(stream, number, into)) {
                    return false;
                }
                number++;
                return true;
            }
        }

        @Override
        public void close() {
            // No resources.
        }
    }
}
