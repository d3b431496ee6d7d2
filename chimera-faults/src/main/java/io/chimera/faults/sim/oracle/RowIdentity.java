package io.chimera.faults.sim.oracle;

import java.util.SortedMap;

/**
 * Identity of a row. The oracle distinguishes rows by identity, never by the names made by nodes.
 *
 * @param pipeline source of the row
 * @param metric of its points
 * @param tags of its group
 * @param field of its points
 * @param function over the values of the field
 * @param timeMs of the cycle
 */
record RowIdentity(
        String pipeline, String metric, SortedMap<String, String> tags, String field, String function, long timeMs) {}
