/**
 * Replication between queue nodes, and acknowledgement of senders: K journals hold a point before its sender is
 * acknowledged.
 */
package io.chimera.queue.replication;
