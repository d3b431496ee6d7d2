/** Benchmark of the archive: the command and its tables. */
package io.chimera.bench.archive;
