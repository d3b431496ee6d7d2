/** Benchmarks; not needed to run a cluster. */
package io.chimera.bench;
