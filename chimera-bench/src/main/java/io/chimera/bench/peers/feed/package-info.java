/** Clients that hold the points in memory and send them to the engines that take them over a socket. */
package io.chimera.bench.peers.feed;
