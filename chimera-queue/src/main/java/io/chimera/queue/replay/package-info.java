/** Reads cycles from the journal, both for the first transmission and for replays (Chimera 2017, III-F2). */
@NullMarked
package io.chimera.queue.replay;

import org.jspecify.annotations.NullMarked;
