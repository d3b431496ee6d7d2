/** Counters and gauges of the nodes, and their Prometheus text; one enum per tier lists all counters. */
package io.chimera.common.metrics;
