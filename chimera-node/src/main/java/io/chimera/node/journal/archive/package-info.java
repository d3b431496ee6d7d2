/** Archive of journal files: the writer in a queue node, and the restore. */
package io.chimera.node.journal.archive;
