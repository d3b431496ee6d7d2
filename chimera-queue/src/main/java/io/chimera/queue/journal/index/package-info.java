/** Index in memory: files of a journal, and the place of each batch of a stream. */
@NullMarked
package io.chimera.queue.journal.index;

import org.jspecify.annotations.NullMarked;
