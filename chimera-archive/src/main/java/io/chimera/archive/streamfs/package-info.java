/**
 * Streams of records on a device, written at one frontier (Hyperion 2007, 4): layout, guarantees, handles, recovery.
 */
package io.chimera.archive.streamfs;
