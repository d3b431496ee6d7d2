/** Client of a recorder's HTTP port, and the output of its answers on the terminal. */
package io.chimera.node.archive.client;
