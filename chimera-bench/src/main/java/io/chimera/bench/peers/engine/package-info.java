/** Build, start, input and results of each engine. */
package io.chimera.bench.peers.engine;
