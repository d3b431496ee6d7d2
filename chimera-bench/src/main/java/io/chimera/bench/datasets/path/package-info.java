/** A long network path in user space: round trip, rate and TCP window between a client and a server on loopback. */
package io.chimera.bench.datasets.path;
