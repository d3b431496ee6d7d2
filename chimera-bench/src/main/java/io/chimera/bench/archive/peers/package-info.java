/** Comparison of the archive with other packet stores, on the same packets and the same disk. */
package io.chimera.bench.archive.peers;
