/**
 * Collector of flow records: reads IPFIX, NetFlow 9 and NetFlow 5 messages, keeps the templates of each exporter, and
 * turns records into points.
 */
package io.chimera.flow.ipfix.collector;
