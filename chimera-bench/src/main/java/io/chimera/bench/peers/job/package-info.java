/** Common job of all peers, with the JDK alone: parser, aggregates, results. Compiled into each peer. */
package io.chimera.bench.peers.job;
