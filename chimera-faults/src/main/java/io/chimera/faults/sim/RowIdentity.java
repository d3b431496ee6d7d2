package io.chimera.faults.sim;

import java.util.SortedMap;

/**
 * What a row is about. The oracle tells rows apart by this and never by the names that nodes give them.
 *
 * @param pipeline that makes it
 * @param metric of its points
 * @param tags of its group
 * @param field of its points
 * @param function over the values of the field
 * @param timeMs of the cycle
 */
record RowIdentity(
        String pipeline, String metric, SortedMap<String, String> tags, String field, String function, long timeMs) {}
