/** Low-water mark, retention, archiving and deletion of journal files. */
package io.chimera.queue.journal.retention;
