package io.chimera.coordinator.watch;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Names and states of the sessions of nodes. A name is kept after the end of the session while an open cycle names the
 * session.
 *
 * <pre>
 * from     event                                 to
 * unknown  announced, announced as leaving       LIVE, LEAVING
 * LIVE     announced as leaving                  LEAVING
 * LEAVING  announced as not leaving              LIVE
 * LIVE     missing for the grace time            GONE
 * LEAVING  missing for the grace time            GONE
 * GONE     announced, announced as leaving       LIVE, LEAVING
 * GONE     no open cycle names the session       unknown
 * </pre>
 *
 * <p>Used by the conductor's thread only.
 */
public final class KnownMembers {
    private final Map<Long, Known> sessions = new HashMap<>();
    private boolean hasBaseline;

    /** State of a session. */
    enum State {
        LIVE,
        LEAVING,
        GONE
    }

    private record Known(NodeName name, State state) {}

    /** Returns whether a first view was recorded: its members joined earlier, later members join now. */
    boolean hasBaseline() {
        return hasBaseline;
    }

    void baselineRecorded() {
        hasBaseline = true;
    }

    /** Returns the state of a session; empty for an unknown session. */
    Optional<State> state(long session) {
        return Optional.ofNullable(sessions.get(session)).map(Known::state);
    }

    void announced(long session, NodeName name, boolean isLeaving) {
        sessions.put(session, new Known(name, isLeaving ? State.LEAVING : State.LIVE));
    }

    void gone(long session) {
        sessions.computeIfPresent(session, (key, known) -> new Known(known.name, State.GONE));
    }

    /** Removes ended sessions, except the named ones. */
    void removeGone(Set<Long> named) {
        sessions.entrySet().removeIf(one -> one.getValue().state == State.GONE && !named.contains(one.getKey()));
    }

    /** Returns the known sessions. */
    Set<Long> sessions() {
        return Set.copyOf(sessions.keySet());
    }

    /** Returns the name of a session; for an unknown node the session in hex, with the given role. */
    public NodeName name(long session, String role) {
        Known known = sessions.get(session);
        return known == null ? new NodeName(role, Long.toHexString(session)) : known.name;
    }
}
