/** What the archive's index costs, and what the paper's costs on the same packets. */
package io.chimera.bench.archive;
