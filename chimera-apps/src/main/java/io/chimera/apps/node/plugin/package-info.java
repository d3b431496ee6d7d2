/** Commands for plugins: create, deploy, list. */
package io.chimera.apps.node.plugin;
