package io.chimera.common.cluster;

/**
 * Registered queue nodes of a view, live or not. A view before the first contact with the coordinator knows no number,
 * and this differs from a journal group without registered nodes.
 *
 * @param state knowledge about the registered nodes
 * @param count number of registered nodes; 0 unless the state is REGISTERED
 */
public record RegisteredNodes(State state, int count) {
    /** Number before the first contact with the coordinator. */
    public static final RegisteredNodes UNKNOWN = new RegisteredNodes(State.UNKNOWN, 0);

    /** A known cluster or journal group without registered nodes. */
    public static final RegisteredNodes NONE = new RegisteredNodes(State.NOT_REGISTERED, 0);

    /** Knowledge about the registered nodes of a view. */
    public enum State {
        /** The coordinator was not reached yet. */
        UNKNOWN,
        /** No queue node is registered, for example because no node has the configured journal group. */
        NOT_REGISTERED,
        /** One queue node or more is registered. */
        REGISTERED
    }

    /** Checks the number. */
    public RegisteredNodes {
        if (count < 0 || (count > 0) != (state == State.REGISTERED)) {
            throw new IllegalArgumentException("Invalid number of registered queue nodes: " + state + " " + count);
        }
    }

    /** Creates a known number. */
    public static RegisteredNodes of(int count) {
        return count == 0 ? NONE : new RegisteredNodes(State.REGISTERED, count);
    }
}
