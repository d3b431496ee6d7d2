/** Cost of the archive's index on recorded and synthetic traffic, compared with the index of the paper. */
package io.chimera.bench.archive.index;
