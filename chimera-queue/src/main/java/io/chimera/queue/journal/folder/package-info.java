/** Folder of a journal: its lock, its label, and small files beside the journal files. */
package io.chimera.queue.journal.folder;
