/** Implements the built-in blocks, using only the plugin API. */
package io.chimera.common.composition.block;
