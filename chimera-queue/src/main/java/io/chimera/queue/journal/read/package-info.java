/** Reads excerpts of journal files by position, and checks each batch. */
@NullMarked
package io.chimera.queue.journal.read;

import org.jspecify.annotations.NullMarked;
