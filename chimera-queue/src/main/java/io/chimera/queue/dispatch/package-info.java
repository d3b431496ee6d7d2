/**
 * The channel manager: sends each part of a cycle to the processors of its shards (Chimera 2017, III-C4, Algorithm 1).
 */
package io.chimera.queue.dispatch;
