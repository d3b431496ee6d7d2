/** Definitions that exporter and collector share: information elements, time stamps and constants of the messages. */
package io.chimera.flow.ipfix;
