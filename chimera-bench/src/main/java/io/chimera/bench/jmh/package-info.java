/** JMH benchmarks: one class per stage, one thread unless its comment says otherwise. */
package io.chimera.bench.jmh;
