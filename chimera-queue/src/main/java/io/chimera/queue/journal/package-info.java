/** The journal: the only durable state of the data path (Chimera 2017, III-C3). */
package io.chimera.queue.journal;
