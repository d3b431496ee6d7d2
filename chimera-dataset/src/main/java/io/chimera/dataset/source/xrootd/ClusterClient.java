package io.chimera.dataset.source.xrootd;

import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.xrootd.connection.CollectedBody;
import io.chimera.dataset.source.xrootd.connection.ConnectionPool;
import io.chimera.dataset.source.xrootd.connection.ExchangeOutcome;
import io.chimera.dataset.source.xrootd.connection.XrootdConnection;
import io.chimera.dataset.source.xrootd.wire.AnswerException;
import io.chimera.dataset.source.xrootd.wire.PauseAnswer;
import io.chimera.dataset.source.xrootd.wire.RedirectAnswer;
import io.chimera.dataset.source.xrootd.wire.ServerAddress;
import io.chimera.dataset.source.xrootd.wire.ServerError;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Sends requests for paths through a cluster: follows redirects, waits where a server asks for a pause, and goes back
 * to the first server once after the failure of a data server. Any thread.
 */
final class ClusterClient {
    private final ConnectionPool pool;
    private final Opaque opaque;
    private final Pauses pauses;
    private final Duration pauseMax;

    /** An answer, and its connection. */
    record Reply(XrootdConnection connection, ByteBuffer body) {}

    /**
     * Creates a client.
     *
     * @param pool connections; closed by its owner
     * @param opaque opaque text for each request
     * @param pauses pauses of calling threads
     * @param pauseMax maximum sum of the pauses of one call
     */
    ClusterClient(ConnectionPool pool, Opaque opaque, Pauses pauses, Duration pauseMax) {
        this.pool = pool;
        this.opaque = opaque;
        this.pauses = pauses;
        this.pauseMax = pauseMax;
    }

    /** Returns a new budget for the pauses of one call. */
    PauseBudget budget() {
        return new PauseBudget(pauses, pauseMax);
    }

    /** Returns whether a server redirects to data servers. */
    boolean isManager(ServerAddress server, int lane) throws SourceException {
        return pool.get(server, lane).isManager();
    }

    /** Asks a server, and the servers to which it redirects. */
    Reply ask(PathQuestion question, ServerAddress first, int lane) throws SourceException {
        return travel(question, new Journey(first, opaque), lane);
    }

    /** Asks for another data server after the failure of one. */
    Reply askAvoiding(
            PathQuestion question, ServerAddress first, int lane, ServerAddress failed, SourceException failure)
            throws SourceException {
        return travel(question, Journey.avoiding(first, opaque, failed, failure), lane);
    }

    private Reply travel(PathQuestion question, Journey journey, int lane) throws SourceException {
        if (question.path().indexOf('?') >= 0) {
            throw new SourceException(
                    SourceFault.UNSUPPORTED,
                    place(question, journey.server())
                            + ": the protocol cannot name a path with a question mark; rename the file");
        }
        PauseBudget budget = budget();
        while (true) {
            try {
                XrootdConnection connection = pool.get(journey.server(), lane);
                CollectedBody body = new CollectedBody(question.answerBytesMax());
                ExchangeOutcome outcome =
                        connection.exchange(question.encode(journey.opaque(), journey.isReturned()), body);
                switch (outcome.status()) {
                    case OK -> {
                        return new Reply(connection, body.bytes());
                    }
                    case REDIRECT -> journey.redirect(question.path(), RedirectAnswer.decode(outcome.detail()));
                    case WAIT ->
                        budget.pause(
                                place(question, journey.server()),
                                PauseAnswer.decode(outcome.detail()).seconds());
                    case ERROR -> {
                        ServerError error = ServerError.decode(outcome.detail());
                        SourceException failure = refusal(place(question, journey.server()), error, journey.opaque());
                        if (!error.isLocalToServer() || !journey.returnToFirst(error.reasonToAvoid(), failure)) {
                            throw failure;
                        }
                    }
                    default -> throw new AnswerException("status " + outcome.status() + " does not answer a request");
                }
            } catch (AnswerException e) {
                throw badAnswer(place(question, journey.server()), e);
            } catch (SourceException e) {
                if (!isLoss(e) || !journey.returnToFirst("", e)) {
                    throw journey.report(e);
                }
            }
        }
    }

    private static String place(PathQuestion question, ServerAddress server) {
        return question.path() + " at " + server;
    }

    /**
     * Returns whether a failure is the loss of a server, so that another server may have the file. A call after an
     * interrupt is not repeated.
     */
    static boolean isLoss(SourceException failure) {
        boolean isLost = failure.fault() == SourceFault.UNREACHABLE || failure.fault() == SourceFault.STALLED;
        return isLost && !Thread.currentThread().isInterrupted();
    }

    static SourceException refusal(String what, ServerError error, Opaque secret) {
        return new SourceException(
                error.fault(),
                what + ": the server refused with error " + error.code() + " \"" + secret.redact(error.text()) + "\"; "
                        + error.remedy());
    }

    static SourceException badAnswer(String what, AnswerException defect) {
        return new SourceException(
                SourceFault.BAD_ANSWER,
                what + ": " + defect.getMessage() + "; check version and health of the server",
                Duration.ZERO,
                defect);
    }
}
