/** A node's part in jobs over data sets: what jobs may reach, their programs, and results for other nodes. */
package io.chimera.node.dataset.worker;
