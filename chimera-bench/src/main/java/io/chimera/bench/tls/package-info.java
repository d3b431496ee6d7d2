/** {@code chimera bench tls}: what encryption costs a cluster. */
package io.chimera.bench.tls;
