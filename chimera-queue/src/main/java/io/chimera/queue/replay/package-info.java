/** Reads cycles from the journal, both for the first transmission and for replays (Chimera 2017, III-F2). */
package io.chimera.queue.replay;
