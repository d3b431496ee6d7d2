/** Journal on the memory-mapped files of Chronicle Queue. */
package io.chimera.queue.journal.chronicle;
