/**
 * Volumes of a node and their writers: the recorder of packets, the store of rows, and reports and checks of a
 * volume.
 */
@NullMarked
package io.chimera.archive.server.volume;

import org.jspecify.annotations.NullMarked;
