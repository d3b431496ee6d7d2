/** Keys of packets and data points for the index: extraction when writing, probes when searching. */
package io.chimera.archive.query.key;
