/** Certificates of nodes and clients: read from PEM files, checked, reloaded, and matched with names. */
package io.chimera.common.security;
