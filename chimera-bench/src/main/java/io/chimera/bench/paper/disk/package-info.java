/** A queue node at full input on a disk with a limited rate: accepted points and refused requests over time. */
package io.chimera.bench.paper.disk;
