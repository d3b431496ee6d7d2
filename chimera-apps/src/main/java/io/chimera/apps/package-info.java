/** The applications: one package each, and the command line in {@code node}. */
package io.chimera.apps;
