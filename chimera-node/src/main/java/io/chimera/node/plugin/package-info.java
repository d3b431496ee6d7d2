/** Commands for plugins: create, deploy, list. */
package io.chimera.node.plugin;
