/** Certificates, tokens and the secret of a run's cluster, and clients that use them. */
package io.chimera.faults.chaos.access;
