/** The command {@code chimera bench scale}: what a point costs with more nodes, more series and more tags. */
package io.chimera.bench.scale;
