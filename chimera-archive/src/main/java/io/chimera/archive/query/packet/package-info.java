/** Packets in intervals: layout, writing, indexing, and selection by a filter. */
package io.chimera.archive.query.packet;
