/** The store that only counts: a plugin that the bench puts on the class path of the processors it starts. */
package io.chimera.bench.peers.counting;
