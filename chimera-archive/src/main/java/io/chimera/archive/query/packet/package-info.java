/** Packets in intervals: layout, writing, indexing, and selection by a filter. */
@NullMarked
package io.chimera.archive.query.packet;

import org.jspecify.annotations.NullMarked;
