/** The commands about plugins: a new one, and those that there are. */
package io.chimera.apps.node.plugin;
