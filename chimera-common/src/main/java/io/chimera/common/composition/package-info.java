/** Compositions: blocks that take points and emit points, put together as the configuration says. */
package io.chimera.common.composition;
