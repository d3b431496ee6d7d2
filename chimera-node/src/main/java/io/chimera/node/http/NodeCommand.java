package io.chimera.node.http;

import java.util.function.UnaryOperator;

/**
 * Command of an operator to a node, sent by {@code POST /-/name} to the node's HTTP port. Any thread; must not block.
 */
@FunctionalInterface
public interface NodeCommand {
    /**
     * Runs or starts the command.
     *
     * @param parameters values of the query parameters by name; null for a missing parameter
     * @return the result as a sentence
     * @throws io.chimera.common.error.ChimeraException when the command is refused; names the reason and a remedy
     */
    String run(UnaryOperator<String> parameters);
}
