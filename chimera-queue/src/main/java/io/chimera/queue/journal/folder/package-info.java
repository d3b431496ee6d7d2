/** Folder of a journal: its lock, its label, and small files beside the journal files. */
@NullMarked
package io.chimera.queue.journal.folder;

import org.jspecify.annotations.NullMarked;
