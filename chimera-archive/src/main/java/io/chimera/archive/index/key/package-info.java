/**
 * Keys of items as bits of signatures, and as ranges of values. A probe is a condition on keys, evaluated on the
 * summary of an interval or a group.
 */
@NullMarked
package io.chimera.archive.index.key;

import org.jspecify.annotations.NullMarked;
