/**
 * Filter languages: the syntax of libpcap for packets, and comparisons of metric, tags and fields for data points.
 * Parses a filter to conditions, and derives the probe of the index.
 */
@NullMarked
package io.chimera.archive.query.filter;

import org.jspecify.annotations.NullMarked;
