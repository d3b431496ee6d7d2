/** The journaler: appends batches from the ring to the journal, acknowledges and refuses senders, and truncates. */
@NullMarked
package io.chimera.queue.journal.append;

import org.jspecify.annotations.NullMarked;
