/** Starts the nodes of a process, reloads and drains them, and stops them. */
package io.chimera.node.launch;
