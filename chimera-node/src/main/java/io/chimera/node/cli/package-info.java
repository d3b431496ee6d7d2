/** Entry point of the command line and the list of all commands. */
package io.chimera.node.cli;
