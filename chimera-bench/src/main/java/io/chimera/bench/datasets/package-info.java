/** The command {@code chimera bench datasets}: jobs over data sets on a far server, compared with plain tools. */
package io.chimera.bench.datasets;
