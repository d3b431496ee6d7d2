package io.chimera.archive.server.client;

import io.chimera.archive.distributed.NodeBusyException;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.answer.FoundItems;
import io.chimera.archive.server.answer.PeerParts;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Objects;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the answer of another archive node in the format of {@link PeerParts}. Arbitrary bytes are either read or
 * refused. One thread, except {@link #cancel}.
 */
abstract sealed class RemoteItems implements FoundItems permits RemotePackets, RemotePoints {
    private static final int BUFFER_BYTES = 64 << 10;

    private final Source source;
    private final int kind;
    private @Nullable DataInputStream in;
    private byte[] bytes = new byte[BUFFER_BYTES];
    private String stream = "";
    private boolean hasItems;
    private boolean isOver;
    private volatile boolean isCancelled;
    private QueryProgress progress = QueryProgress.NONE;

    /** Origin of an answer. */
    @FunctionalInterface
    interface Source extends AutoCloseable {
        /**
         * Waits for the begin of the answer.
         *
         * @throws NodeBusyException when the node has no capacity for the question
         */
        InputStream open() throws IOException;

        /** Ends the answer: the sender sees a closed connection, and a waiting reader gets an error. Any thread. */
        @Override
        default void close() {}
    }

    /**
     * Creates the answer without waiting for its begin.
     *
     * @param kind the valid kind of item parts
     */
    RemoteItems(Source source, int kind) {
        this.source = source;
        this.kind = kind;
    }

    /** Wraps an interval. The buffer stays unchanged until the next interval. */
    abstract void wrap(DirectBuffer buffer, int length);

    /** Advances to the next item of the interval; false at the end. */
    abstract boolean nextOfInterval();

    @Override
    public List<String> warnings() {
        return List.of();
    }

    /**
     * Waits until the node has accepted the question.
     *
     * @throws NodeBusyException when the node has no capacity for the question
     * @throws ChimeraException when the node does not answer
     */
    @Override
    public void prepare() {
        if (in == null && !isCancelled) {
            open();
        }
    }

    @Override
    public boolean next() {
        prepare();
        try {
            while (!isOver && !isCancelled) {
                if (hasItems && nextOfInterval()) {
                    return true;
                }
                part(Objects.requireNonNull(in, "only a cancelled answer has no input"));
            }
            return false;
        } catch (IOException e) {
            if (isCancelled) {
                return false;
            }
            throw new ChimeraException(
                    Category.WARN, "the answer ended early (" + e.getClass().getSimpleName() + ")", e);
        }
    }

    private void open() {
        try {
            in = new DataInputStream(new BufferedInputStream(source.open(), BUFFER_BYTES));
        } catch (IOException e) {
            if (!isCancelled) {
                throw new ChimeraException(Category.WARN, String.valueOf(e.getMessage()), e);
            }
        }
    }

    private void part(DataInputStream from) throws IOException {
        hasItems = false;
        int part = from.readUnsignedByte();
        if (part == kind) {
            items(from);
        } else if (part == PeerParts.END) {
            end(from);
        } else if (part == PeerParts.FAILURE) {
            throw new ChimeraException(Category.WARN, failure(from));
        } else {
            throw new IOException("unknown type of a part");
        }
    }

    /** Strips the final period, because the caller embeds the reason in a sentence. */
    private static String failure(DataInputStream from) throws IOException {
        String why = from.readUTF();
        return why.endsWith(".") ? why.substring(0, why.length() - 1) : why;
    }

    private void items(DataInputStream from) throws IOException {
        stream = from.readUTF();
        int length = from.readInt();
        if (length < 0 || length > PeerParts.PART_BYTES_MAX) {
            throw new IOException("invalid part of " + length + " bytes");
        }
        if (length > bytes.length) {
            bytes = new byte[PeerParts.PART_BYTES_MAX];
        }
        from.readFully(bytes, 0, length);
        wrap(new UnsafeBuffer(bytes, 0, length), length);
        hasItems = true;
    }

    private void end(DataInputStream from) throws IOException {
        isOver = true;
        int streams = from.readInt();
        long intervals = from.readLong();
        long skipped = from.readLong();
        long gone = from.readLong();
        long damaged = from.readLong();
        long dataBytes = from.readLong();
        long indexBytes = from.readLong();
        long indexReads = from.readLong();
        long looked = from.readLong();
        long unasked = from.readLong();
        long found = from.readLong();
        progress = new QueryProgress(
                streams,
                intervals,
                skipped,
                gone,
                damaged,
                from.readUTF(),
                dataBytes,
                indexBytes,
                indexReads,
                looked,
                unasked,
                found);
        if (from.read() != -1) {
            throw new IOException("data after the last part");
        }
    }

    @Override
    public String stream() {
        return stream;
    }

    @Override
    public QueryProgress progress() {
        return progress;
    }

    @Override
    public void cancel() {
        isCancelled = true;
        source.close();
    }

    @Override
    public boolean isCancelled() {
        return isCancelled;
    }

    @Override
    public void close() {
        source.close();
        CloseHelper.quietClose(in);
    }
}
