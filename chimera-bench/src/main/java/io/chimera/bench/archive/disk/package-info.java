/** Disk speed of the archive's store, the raw device, and log files on XFS, on the same loop device. */
package io.chimera.bench.archive.disk;
