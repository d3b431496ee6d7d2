/** Counters and gauges of the nodes, and their Prometheus text; every counter is listed in one enum per tier. */
package io.chimera.common.metrics;
