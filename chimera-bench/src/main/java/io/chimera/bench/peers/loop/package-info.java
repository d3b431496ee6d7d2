/** The job without any engine: what parsing and folding alone cost. */
package io.chimera.bench.peers.loop;
