/** The command {@code chimera bench latency}: how long senders wait, and how long it takes until rows are stored. */
package io.chimera.bench.latency;
