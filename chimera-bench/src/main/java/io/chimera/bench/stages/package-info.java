/** The command {@code chimera bench stages}: runs the benchmarks of all stages and reports them side by side. */
package io.chimera.bench.stages;
