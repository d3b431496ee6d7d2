/**
 * Two-level signatures of the intervals of a stream, the upper level bit-sliced (Hyperion 2007, 5): writing and
 * publishing, loading from the index stream, and searches.
 */
package io.chimera.archive.index;
