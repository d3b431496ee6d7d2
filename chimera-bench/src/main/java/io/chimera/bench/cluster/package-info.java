/** A whole cluster in processes of its own on loopback, and what its processes take. */
package io.chimera.bench.cluster;
