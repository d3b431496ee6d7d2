/** The job without any engine: the cost of parsing and aggregating alone. */
package io.chimera.bench.peers.loop;
