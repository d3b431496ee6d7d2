/** The command {@code chimera bench scale}: cost of a point with more nodes, series and tags. */
package io.chimera.bench.scale;
