/** The command {@code chimera bench tls}: cost of encryption in a cluster. */
package io.chimera.bench.tls;
