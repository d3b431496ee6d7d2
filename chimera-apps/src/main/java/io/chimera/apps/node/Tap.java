package io.chimera.apps.node;

import java.util.List;

/** Shows live traffic at one stage of a node. */
@FunctionalInterface
public interface Tap {
    /**
     * The latest traffic. May read a disk, but waits for nothing.
     *
     * @param limit the most lines wanted
     * @return lines, oldest first, at most so many
     */
    List<String> sample(int limit);
}
