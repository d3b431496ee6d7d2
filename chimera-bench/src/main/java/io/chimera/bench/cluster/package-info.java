/** A whole cluster in separate processes on loopback, and the resource usage of its processes. */
package io.chimera.bench.cluster;
