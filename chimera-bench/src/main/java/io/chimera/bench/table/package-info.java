/** The command {@code chimera bench table}: reports as tables and plots, and the generated figures of the documents. */
package io.chimera.bench.table;
