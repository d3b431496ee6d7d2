/** The command {@code chimera bench stages}: runs and reports the benchmarks of all stages. */
package io.chimera.bench.stages;
