package io.chimera.coordinator.watch;

/**
 * Name of a node in events.
 *
 * @param role {@code queue} or {@code processor}
 * @param id id of the node, or its session in hex when the id is unknown
 */
public record NodeName(String role, String id) {
    /** No single node. */
    static final NodeName NONE = new NodeName("", "");
}
