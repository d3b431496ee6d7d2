/** The command {@code chimera bench capture}: packets to flows, from files and live, compared with other tools. */
package io.chimera.bench.capture;
