/** The job that every peer does, and nothing but the JDK: parser, aggregates, results. Compiled into each peer. */
package io.chimera.bench.peers.job;
