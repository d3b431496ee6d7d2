/** Definitions that exporter and collector share: information elements, time stamps and constants of the messages. */
@NullMarked
package io.chimera.flow.ipfix;

import org.jspecify.annotations.NullMarked;
