/** The commands of data sets, and the assembly of a job in one process. */
package io.chimera.node.dataset;
