/** What one would keep packets in instead of the archive, on the same packets and the same disk. */
package io.chimera.bench.archive.peers;
