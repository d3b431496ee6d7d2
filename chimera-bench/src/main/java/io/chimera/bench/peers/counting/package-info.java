/** Counting stores: plugins on the class path of the processors started by the benchmarks. */
package io.chimera.bench.peers.counting;
