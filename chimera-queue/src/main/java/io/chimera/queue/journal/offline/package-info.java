/** Checks, prints, repairs and restores the journal of a stopped node. */
package io.chimera.queue.journal.offline;
