/** The command {@code chimera bench table}: reports as tables and plots, and the figures of docs/benchmarks.md. */
package io.chimera.bench.table;
