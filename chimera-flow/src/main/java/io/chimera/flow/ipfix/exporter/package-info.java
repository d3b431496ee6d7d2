/** Exporter of flow records: IPFIX messages with templates and options, over UDP or TCP. */
package io.chimera.flow.ipfix.exporter;
