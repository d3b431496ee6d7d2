/**
 * Volumes of a node and their writers: the recorder of packets, the store of rows, and reports and checks of a
 * volume.
 */
package io.chimera.archive.server.volume;
