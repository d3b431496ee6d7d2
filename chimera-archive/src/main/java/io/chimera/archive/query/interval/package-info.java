/**
 * Intervals of any kind in a data stream: common header, appending with keys, and reading in the order of arrival
 * the intervals that the index cannot rule out.
 */
package io.chimera.archive.query.interval;
