package io.chimera.dataset.source.xrootd;

import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.xrootd.wire.RedirectAnswer;
import io.chimera.dataset.source.xrootd.wire.ServerAddress;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The way of one request through a cluster. Used by one thread.
 *
 * <pre>
 * AT_FIRST   -> REDIRECTED   a redirect
 * REDIRECTED -> REDIRECTED   a redirect
 * REDIRECTED -> RETURNED     the data server failed: the first server is asked again, with the failed one to avoid
 * RETURNED   -> RETURNED     a redirect
 * </pre>
 *
 * <p>A failure in AT_FIRST or RETURNED ends the journey.
 */
final class Journey {
    private static final int REDIRECTS_MAX = 16;

    enum State {
        AT_FIRST,
        REDIRECTED,
        RETURNED
    }

    private record Stop(ServerAddress server, Opaque opaque) {}

    private final ServerAddress first;
    private final Opaque firstOpaque;
    private final Set<Stop> visited = new HashSet<>();
    private State state = State.AT_FIRST;
    private Stop stop;
    private int redirects;
    private @Nullable SourceException firstFailure;

    Journey(ServerAddress first, Opaque opaque) {
        this.first = first;
        this.firstOpaque = opaque;
        this.stop = new Stop(first, opaque);
        visited.add(stop);
    }

    /** Begins a journey after the failure of a data server. */
    static Journey avoiding(ServerAddress first, Opaque opaque, ServerAddress failed, SourceException failure) {
        Journey journey = new Journey(first, opaque);
        journey.state = State.REDIRECTED;
        journey.returnToFirst(failed, "", failure);
        return journey;
    }

    ServerAddress server() {
        return stop.server();
    }

    Opaque opaque() {
        return stop.opaque();
    }

    /** Returns whether a redirector must not trust its cached location of the file. */
    boolean isReturned() {
        return state == State.RETURNED;
    }

    /** Moves to the target of a redirect. */
    void redirect(String path, RedirectAnswer redirect) throws SourceException {
        redirects++;
        stop = new Stop(redirect.server(), stop.opaque().merge(redirect.opaque()));
        boolean isCircle = !visited.add(stop);
        if (isCircle || redirects > REDIRECTS_MAX) {
            throw new SourceException(
                    SourceFault.REDIRECTS,
                    path + " at " + first + ": "
                            + (isCircle
                                    ? "the redirects lead in a circle at " + redirect.server()
                                    : "more than " + REDIRECTS_MAX + " redirects")
                            + "; check the configuration of the redirectors");
        }
        if (state == State.AT_FIRST) {
            state = State.REDIRECTED;
        }
    }

    /**
     * Goes back to the first server after the failure of a data server.
     *
     * @param reason word of the protocol for the failure; empty without a word
     * @return false when the journey ends with the failure
     */
    boolean returnToFirst(String reason, SourceException failure) {
        if (state != State.REDIRECTED) {
            return false;
        }
        returnToFirst(stop.server(), reason, failure);
        return true;
    }

    private void returnToFirst(ServerAddress failed, String reason, SourceException failure) {
        firstFailure = failure;
        state = State.RETURNED;
        stop = new Stop(first, firstOpaque.avoid(failed.host(), reason));
        visited.add(stop);
    }

    /**
     * Returns the failure to report. After the loss of a data server the first server has no other copy: the loss is
     * the cause, not the missing copy.
     */
    SourceException report(SourceException failure) {
        SourceException cause = firstFailure;
        return cause != null && failure.fault() == SourceFault.NOT_FOUND ? cause : failure;
    }
}
