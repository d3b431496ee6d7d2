/** How each engine is built, started, fed and asked for its results. */
package io.chimera.bench.peers.engine;
