/** The journaler: appends batches from the ring to the journal, acknowledges and refuses senders, and truncates. */
package io.chimera.queue.journal.append;
