/** Index in memory: files of a journal, and the place of each batch of a stream. */
package io.chimera.queue.journal.index;
