/** The journal: the only durable state of the data path (Chimera 2017, III-C3). */
@NullMarked
package io.chimera.queue.journal;

import org.jspecify.annotations.NullMarked;
