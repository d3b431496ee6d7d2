/** The command {@code chimera bench latency}: waits of senders, and time until rows are stored. */
package io.chimera.bench.latency;
