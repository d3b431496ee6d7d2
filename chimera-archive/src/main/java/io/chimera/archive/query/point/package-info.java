/**
 * Data points in intervals: layout, writing, selection by a filter, and the choice of the last version of a row
 * that was written several times.
 */
package io.chimera.archive.query.point;
