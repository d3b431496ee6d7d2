/**
 * The other nodes from the view of a queue node: its own ids, and the connections that it opens. Dispatch and
 * replication share this package.
 */
@NullMarked
package io.chimera.queue.peer;

import org.jspecify.annotations.NullMarked;
