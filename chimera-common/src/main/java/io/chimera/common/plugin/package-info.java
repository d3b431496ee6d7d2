/** Plugins: where they lie, the class loaders that keep them apart, and the fences that keep the node alive. */
package io.chimera.common.plugin;
