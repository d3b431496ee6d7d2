/** Questions about the past: filters of packets and of data points, and how they are answered out of index and records. */
package io.chimera.archive.query;
