/** The command {@code chimera bench capture}: packets to flows, from files and live, beside the tools one would take instead. */
package io.chimera.bench.capture;
