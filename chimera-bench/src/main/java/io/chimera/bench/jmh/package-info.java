/** JMH benchmarks: one class per stage, single-threaded unless the class says otherwise. */
package io.chimera.bench.jmh;
