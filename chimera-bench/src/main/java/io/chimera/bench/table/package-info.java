/** The command {@code chimera bench table}: reports as tables and plots, and those of docs/benchmarks.md. */
package io.chimera.bench.table;
