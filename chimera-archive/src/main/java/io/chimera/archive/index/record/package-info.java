/**
 * Records of the index stream: layout, encoding and checked reading of intervals, groups, bundles and slices, and
 * the settings that determine the sizes of the records.
 */
@NullMarked
package io.chimera.archive.index.record;

import org.jspecify.annotations.NullMarked;
