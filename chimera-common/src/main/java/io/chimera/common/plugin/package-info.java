/** Loads plugins from folders, isolates them with class loaders, and protects the node with fences. */
package io.chimera.common.plugin;
