package io.chimera.dataset.source.xrootd;

import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.time.Duration;

/** Sum of the pauses that servers may ask for within one call. Used by one thread. */
final class PauseBudget {
    private final Pauses pauses;
    private Duration rest;

    PauseBudget(Pauses pauses, Duration max) {
        this.pauses = pauses;
        this.rest = max;
    }

    /**
     * Waits as long as a server asks.
     *
     * @param what object and server for messages
     * @throws SourceException BUSY with the rest of the pause when the pause is longer than the budget
     */
    void pause(String what, int seconds) throws SourceException {
        // A pause of 0 s would let a server keep the thread for ever.
        Duration pause = Duration.ofSeconds(Math.max(1, seconds));
        if (pause.compareTo(rest) > 0) {
            throw new SourceException(
                    SourceFault.BUSY,
                    what + ": the server asks for a pause of " + seconds + " s; retry later",
                    pause,
                    null);
        }
        rest = rest.minus(pause);
        if (!pauses.pause(pause)) {
            throw new SourceException(SourceFault.UNREACHABLE, what + ": the call was ended within a pause");
        }
    }
}
