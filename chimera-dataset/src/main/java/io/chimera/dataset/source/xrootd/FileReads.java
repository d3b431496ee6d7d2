package io.chimera.dataset.source.xrootd;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.xrootd.connection.CollectedBody;
import io.chimera.dataset.source.xrootd.connection.ExchangeOutcome;
import io.chimera.dataset.source.xrootd.connection.XrootdConnection;
import io.chimera.dataset.source.xrootd.connection.XrootdLimits;
import io.chimera.dataset.source.xrootd.wire.AnswerException;
import io.chimera.dataset.source.xrootd.wire.AnswerStatus;
import io.chimera.dataset.source.xrootd.wire.AnswerText;
import io.chimera.dataset.source.xrootd.wire.FileStat;
import io.chimera.dataset.source.xrootd.wire.OpenAnswer;
import io.chimera.dataset.source.xrootd.wire.ServerAddress;
import io.chimera.dataset.source.xrootd.wire.XrootdRequests;
import org.jspecify.annotations.Nullable;

/**
 * Runs reads on open files: opens a file where necessary, checks its version, and opens it once more, at another data
 * server where there is one, after the loss of its server. Any thread.
 */
final class FileReads {
    private static final int ATTEMPTS = 2;

    private final ClusterClient client;
    private final ChecksumQuery checksums;
    private final XrootdUrl url;
    private final Clock clock;
    private final Lanes lanes;
    private final FileCache files;

    /** A read of an open file; may run twice. */
    @FunctionalInterface
    interface Action {
        void run(RemoteFile file, PauseBudget budget) throws SourceException;
    }

    /** A lost server, and how it was lost. */
    private record Loss(ServerAddress server, SourceException failure) {}

    FileReads(ClusterClient client, ChecksumQuery checksums, XrootdUrl url, XrootdLimits limits, Clock clock) {
        this.client = client;
        this.checksums = checksums;
        this.url = url;
        this.clock = clock;
        this.lanes = new Lanes(limits.lanes());
        this.files = new FileCache(limits.openFilesMax(), limits.idle().toNanos(), clock);
    }

    /** Closes idle files. May block for the time limits of the connections. */
    void closeIdle() {
        files.closeIdle();
    }

    /** Returns the number of open files. */
    int openFiles() {
        return files.size();
    }

    /** Runs a read on an object. */
    void run(DataObject object, Action action) throws SourceException {
        int lane = lanes.enter();
        try {
            PauseBudget budget = client.budget();
            Loss loss = null;
            for (int attempt = 1; ; attempt++) {
                RemoteFile file = enter(object, lane, loss);
                try {
                    action.run(file, budget);
                    return;
                } catch (SourceException e) {
                    loss = handle(e, file, attempt < ATTEMPTS);
                } finally {
                    file.leave(clock.nanoTime());
                }
            }
        } finally {
            lanes.leave(lane);
        }
    }

    /** Returns the loss after which another attempt has a chance; throws every other failure. */
    private Loss handle(SourceException failure, RemoteFile file, boolean mayRepeat) throws SourceException {
        boolean isLost = ClusterClient.isLoss(failure);
        if (isLost || failure.fault() == SourceFault.CHANGED) {
            files.drop(file);
        }
        // A stalled first server would stall again: there is no other server.
        boolean hasChance = isLost && (isRedirected(file) || failure.fault() == SourceFault.UNREACHABLE);
        if (!hasChance || !mayRepeat) {
            throw failure;
        }
        return new Loss(file.server(), failure);
    }

    private boolean isRedirected(RemoteFile file) {
        return !file.server().equals(url.server());
    }

    /** An open file may be older than the listing, so that a mismatch counts only after a new open request. */
    private RemoteFile enter(DataObject object, int lane, @Nullable Loss loss) throws SourceException {
        String path = url.root() + "/" + object.path();
        FileCache.Key key = new FileCache.Key(path, lane);
        for (int attempt = 1; ; attempt++) {
            RemoteFile file = files.enter(key, () -> open(path, lane, loss));
            boolean isEntered = false;
            try {
                if (hasContentOf(object, path, file)) {
                    isEntered = true;
                    return file;
                }
                files.drop(file);
                if (attempt == ATTEMPTS) {
                    throw RemoteFile.changed(
                            path + " at " + file.server(),
                            object.version().tag().isEmpty()
                                    ? "?-" + object.length()
                                    : object.version().tag(),
                            file.stat().tag());
                }
            } finally {
                if (!isEntered) {
                    file.leave(clock.nanoTime());
                }
            }
        }
    }

    private boolean hasContentOf(DataObject object, String path, RemoteFile file) throws SourceException {
        if (file.stat().length() != object.length()) {
            return false;
        }
        String tag = object.version().tag();
        if (tag.isEmpty() || file.isAccepted(tag)) {
            return true;
        }
        Checksum listed = object.version().checksum();
        boolean isReplica = !listed.equals(Checksum.NONE) && listed.equals(checksums.ask(path, file.server()));
        if (isReplica) {
            file.accept(tag);
        }
        return isReplica;
    }

    private RemoteFile open(String path, int lane, @Nullable Loss loss) throws SourceException {
        PathQuestion question = new PathQuestion(path, PathQuestion.Kind.OPEN, CollectedBody.SMALL);
        ClusterClient.Reply reply = loss == null || loss.server().equals(url.server())
                ? client.ask(question, url.server(), lane)
                : client.askAvoiding(question, url.server(), lane, loss.server(), loss.failure());
        XrootdConnection connection = reply.connection();
        try {
            OpenAnswer answer = OpenAnswer.decode(reply.body());
            FileStat stat = answer.stat() == null ? stat(path, connection, answer.handle()) : answer.stat();
            return new RemoteFile(path, connection, answer.handle(), stat, url.opaque(), clock.nanoTime());
        } catch (AnswerException e) {
            throw ClusterClient.badAnswer(path + " at " + connection.server(), e);
        }
    }

    /** Asks a server that does not send stat information with its answer to an open request. */
    private static FileStat stat(String path, XrootdConnection connection, int handle)
            throws SourceException, AnswerException {
        CollectedBody body = new CollectedBody(CollectedBody.SMALL);
        ExchangeOutcome outcome = connection.exchange(XrootdRequests.stat(handle), body);
        if (outcome.status() != AnswerStatus.OK) {
            throw new SourceException(
                    SourceFault.UNSUPPORTED,
                    path + " at " + connection.server()
                            + ": the server does not tell the length of an open file; update the server");
        }
        return FileStat.parse(AnswerText.decode(body.bytes()));
    }
}
