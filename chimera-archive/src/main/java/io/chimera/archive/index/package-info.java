/** Signatures of the intervals of a stream, in two levels, the upper one bit-sliced (Hyperion 2007, 5). */
package io.chimera.archive.index;
