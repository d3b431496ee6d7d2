/** Ground of all commands and nodes: installation, version, names, exit codes and JSON output. */
package io.chimera.node;
