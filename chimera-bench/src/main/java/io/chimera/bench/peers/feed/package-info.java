/** Clients that read points from memory and send them to engines over a socket. */
package io.chimera.bench.peers.feed;
