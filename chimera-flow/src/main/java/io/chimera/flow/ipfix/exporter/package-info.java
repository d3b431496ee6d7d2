/** Exporter of flow records: IPFIX messages with templates and options, over UDP or TCP. */
@NullMarked
package io.chimera.flow.ipfix.exporter;

import org.jspecify.annotations.NullMarked;
