/**
 * Intervals of any kind in a data stream: common header, appending with keys, and reading in the order of arrival
 * the intervals that the index cannot rule out.
 */
@NullMarked
package io.chimera.archive.query.interval;

import org.jspecify.annotations.NullMarked;
