/** Queries about the past: filters of packets and data points, answered from index and records. */
package io.chimera.archive.query;
