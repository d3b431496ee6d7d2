/** Low-water mark, retention, archiving and deletion of journal files. */
@NullMarked
package io.chimera.queue.journal.retention;

import org.jspecify.annotations.NullMarked;
