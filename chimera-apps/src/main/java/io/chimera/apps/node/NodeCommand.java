package io.chimera.apps.node;

import java.util.function.UnaryOperator;

/** Something that an operator tells a node by {@code POST /-/name} on its HTTP port. Any thread; quick. */
@FunctionalInterface
public interface NodeCommand {
    /**
     * Does it, or begins to.
     *
     * @param parameters values of the query by name; null where there is none
     * @return what is done now, in a sentence
     * @throws io.chimera.common.error.ChimeraException when it is refused; says why and what to do
     */
    String run(UnaryOperator<String> parameters);
}
