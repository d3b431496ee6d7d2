/** Certificates and tokens of a process: read at the start, reloaded while the process runs. */
package io.chimera.node.security;
