/**
 * Data points in intervals: layout, writing, selection by a filter, and the choice of the last version of a row
 * that was written several times.
 */
@NullMarked
package io.chimera.archive.query.point;

import org.jspecify.annotations.NullMarked;
