/** Reads excerpts of journal files by position, and checks each batch. */
package io.chimera.queue.journal.read;
