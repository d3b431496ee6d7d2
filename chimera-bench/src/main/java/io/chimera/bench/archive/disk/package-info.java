/** What the disk of the archive takes: our store, the raw device, and log files on XFS, on the same loop device. */
package io.chimera.bench.archive.disk;
