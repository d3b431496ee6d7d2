/** The journal: the only durable state of the data path (Chimera 2017, III-C3), and the journaler that fills it. */
package io.chimera.queue.journal;
