package io.chimera.dataset.source.xrootd;

import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.xrootd.connection.AnswerBody;
import io.chimera.dataset.source.xrootd.connection.CollectedBody;
import io.chimera.dataset.source.xrootd.connection.Exchange;
import io.chimera.dataset.source.xrootd.connection.ExchangeOutcome;
import io.chimera.dataset.source.xrootd.connection.RangeBody;
import io.chimera.dataset.source.xrootd.connection.VectorBody;
import io.chimera.dataset.source.xrootd.connection.XrootdConnection;
import io.chimera.dataset.source.xrootd.wire.AnswerException;
import io.chimera.dataset.source.xrootd.wire.AnswerStatus;
import io.chimera.dataset.source.xrootd.wire.AnswerText;
import io.chimera.dataset.source.xrootd.wire.FileStat;
import io.chimera.dataset.source.xrootd.wire.PauseAnswer;
import io.chimera.dataset.source.xrootd.wire.PieceHeader;
import io.chimera.dataset.source.xrootd.wire.ServerAddress;
import io.chimera.dataset.source.xrootd.wire.ServerError;
import io.chimera.dataset.source.xrootd.wire.XrootdRequests;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * An open file on a data server. Any number of threads read at the same time, each between {@link #enter} and
 * {@link #leave}. A stat request travels with each read request, so that a change of the file is noticed in the same
 * round trip.
 *
 * <pre>
 * OPEN    -> RETIRED   no new readers: the file was idle, changed, or lost with its connection
 * RETIRED -> CLOSED    the last reader left
 * OPEN    -> CLOSED    retired without readers
 * </pre>
 */
final class RemoteFile {
    enum State {
        OPEN,
        RETIRED,
        CLOSED
    }

    private final String path;
    private final XrootdConnection connection;
    private final int handle;
    private final FileStat stat;
    private final Opaque secret;
    private final Object lock = new Object();
    private State state = State.OPEN;
    private int readers;
    private long lastUseNs;
    private volatile String acceptedTag;

    /**
     * Creates a file after its open request.
     *
     * @param path absolute path
     * @param connection connection of the handle
     * @param handle handle of the open file
     * @param stat stat information at the time of the open request
     * @param secret opaque text that messages must not contain
     * @param nowNs time by the clock
     */
    RemoteFile(String path, XrootdConnection connection, int handle, FileStat stat, Opaque secret, long nowNs) {
        this.path = path;
        this.connection = connection;
        this.handle = handle;
        this.stat = stat;
        this.secret = secret;
        this.lastUseNs = nowNs;
        this.acceptedTag = stat.tag();
        connection.addOpenFile();
    }

    ServerAddress server() {
        return connection.server();
    }

    FileStat stat() {
        return stat;
    }

    /** Returns whether the file has the content of a version tag. */
    boolean isAccepted(String tag) {
        return tag.equals(stat.tag()) || tag.equals(acceptedTag);
    }

    /** Accepts the tag of another replica after a comparison of checksums. */
    void accept(String tag) {
        acceptedTag = tag;
    }

    /** Returns whether new readers may enter. */
    boolean isUsable() {
        synchronized (lock) {
            return state == State.OPEN && connection.isOpen();
        }
    }

    /** Counts a reader; false for a file that is not usable any more. */
    boolean enter() {
        synchronized (lock) {
            if (state != State.OPEN || !connection.isOpen()) {
                return false;
            }
            readers++;
            return true;
        }
    }

    void leave(long nowNs) {
        boolean isLast;
        synchronized (lock) {
            readers--;
            lastUseNs = nowNs;
            isLast = readers == 0 && state == State.RETIRED;
            state = isLast ? State.CLOSED : state;
        }
        if (isLast) {
            sendClose();
        }
    }

    /** Refuses new readers, and closes the file after the last one. */
    void retire() {
        boolean isClosing;
        synchronized (lock) {
            isClosing = readers == 0 && state == State.OPEN;
            if (state == State.OPEN) {
                state = isClosing ? State.CLOSED : State.RETIRED;
            }
        }
        if (isClosing) {
            sendClose();
        }
    }

    /** Returns whether the file had no reader for a time. */
    boolean isIdle(long nowNs, long idleNs) {
        synchronized (lock) {
            return readers == 0 && nowNs - lastUseNs >= idleNs;
        }
    }

    /** Nobody waits for the answer. */
    private void sendClose() {
        connection.removeOpenFile();
        if (connection.isOpen()) {
            try {
                connection.send(XrootdRequests.close(handle), new CollectedBody(CollectedBody.SMALL));
            } catch (SourceException e) {
                // the server closes the files of a lost connection
            }
        }
    }

    /**
     * Fills a buffer from position to limit.
     *
     * @param offset offset of the first byte in the file
     */
    void read(long offset, ByteBuffer into, PauseBudget budget) throws SourceException {
        int start = into.position();
        boolean isComplete = false;
        while (!isComplete) {
            int done = into.position() - start;
            ByteBuffer request = XrootdRequests.read(handle, offset + done, into.remaining());
            isComplete = exchange(request, new RangeBody(into), budget);
        }
        checkComplete(into.remaining(), "bytes");
    }

    /**
     * Reads ranges with one request.
     *
     * @param offsets offset of each range
     * @param buffers one buffer per range, filled from position to limit
     */
    void readVector(List<Long> offsets, List<ByteBuffer> buffers, PauseBudget budget) throws SourceException {
        List<PieceHeader> pieces = new ArrayList<>();
        for (int i = 0; i < offsets.size(); i++) {
            pieces.add(new PieceHeader(handle, buffers.get(i).remaining(), offsets.get(i)));
        }
        VectorBody body = new VectorBody(pieces, buffers);
        boolean isComplete = false;
        while (!isComplete) {
            isComplete = exchange(XrootdRequests.readVector(pieces), body, budget);
        }
        checkComplete(body.missing(), "ranges");
    }

    /** Returns true when the answer is complete, false after a pause. */
    private boolean exchange(ByteBuffer request, AnswerBody body, PauseBudget budget) throws SourceException {
        Exchange read = connection.send(request, body);
        CollectedBody statBody = new CollectedBody(CollectedBody.SMALL);
        Exchange check;
        try {
            check = connection.send(XrootdRequests.stat(handle), statBody);
        } catch (SourceException e) {
            // The buffer of the caller belongs to the connection until the exchange ends.
            connection.await(read);
            throw e;
        }
        ExchangeOutcome outcome = connection.await(read);
        checkUnchanged(connection.await(check), statBody);
        return isComplete(outcome, budget);
    }

    /** A server that refuses the stat request cannot tell of a change. */
    private void checkUnchanged(ExchangeOutcome outcome, CollectedBody statBody) throws SourceException {
        if (outcome.status() == AnswerStatus.OK) {
            try {
                FileStat now = FileStat.parse(AnswerText.decode(statBody.bytes()));
                if (!now.tag().equals(stat.tag())) {
                    throw changed(place(), stat.tag(), now.tag());
                }
            } catch (AnswerException e) {
                throw ClusterClient.badAnswer(place(), e);
            }
        }
    }

    static SourceException changed(String place, String before, String now) {
        return new SourceException(
                SourceFault.CHANGED,
                place + ": time of change and length are " + now + ", and were " + before
                        + " (seconds since 1970, bytes); list the data set again");
    }

    private boolean isComplete(ExchangeOutcome outcome, PauseBudget budget) throws SourceException {
        try {
            switch (outcome.status()) {
                case OK -> {
                    return true;
                }
                case WAIT -> {
                    budget.pause(place(), PauseAnswer.decode(outcome.detail()).seconds());
                    return false;
                }
                case ERROR -> {
                    ServerError error = ServerError.decode(outcome.detail());
                    throw error.isFileNotOpen() ? moved() : ClusterClient.refusal(place(), error, secret);
                }
                case REDIRECT -> throw moved();
                default -> throw new AnswerException("status " + outcome.status() + " does not answer a read");
            }
        } catch (AnswerException e) {
            throw ClusterClient.badAnswer(place(), e);
        }
    }

    private SourceException moved() {
        return new SourceException(
                SourceFault.UNREACHABLE, place() + ": the server does not have the file open any more; retry");
    }

    private void checkComplete(int missing, String unit) throws SourceException {
        if (missing > 0) {
            throw new SourceException(
                    SourceFault.BAD_ANSWER,
                    place() + ": " + missing + " " + unit + " are missing in the answer; check the server's log");
        }
    }

    private String place() {
        return path + " at " + server();
    }
}
