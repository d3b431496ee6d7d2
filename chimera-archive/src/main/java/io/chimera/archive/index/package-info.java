/** Two-level signatures of the intervals of a stream, the upper level bit-sliced (Hyperion 2007, 5). */
package io.chimera.archive.index;
