/** Certificates of nodes and clients: reading from PEM files, verification, reload, and matching of names. */
package io.chimera.common.security;
