/** Checks, prints, repairs and restores the journal of a stopped node. */
@NullMarked
package io.chimera.queue.journal.offline;

import org.jspecify.annotations.NullMarked;
