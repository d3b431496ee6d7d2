package io.chimera.node.http;

import java.util.List;

/** Shows live traffic at one stage of a node. */
@FunctionalInterface
public interface Tap {
    /**
     * Returns the latest traffic. May read a disk, but never waits for new traffic.
     *
     * @param limit maximum number of lines
     * @return lines, oldest first, at most the limit
     */
    List<String> sample(int limit);
}
