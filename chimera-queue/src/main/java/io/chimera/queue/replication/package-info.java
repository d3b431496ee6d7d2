/** Copies between queue nodes, and who is told that a point is safe: K journals hold each point before its sender hears of success. */
package io.chimera.queue.replication;
