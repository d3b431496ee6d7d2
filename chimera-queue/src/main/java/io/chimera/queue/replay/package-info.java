/** Reads cycles back from the journal, for the first sending and for every later one alike (Chimera 2017, III-F2). */
package io.chimera.queue.replay;
