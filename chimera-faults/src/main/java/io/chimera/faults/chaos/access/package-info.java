/** Certificates, tokens and the secret of a run's cluster, and clients with these credentials. */
package io.chimera.faults.chaos.access;
