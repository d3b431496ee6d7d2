/** Checks and prints the configuration: everything that needs the code and the plugins, but no running node. */
package io.chimera.node.config;
