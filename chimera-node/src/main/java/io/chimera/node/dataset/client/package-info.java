/** Commands' access to the jobs over data sets of a cluster: orders, progress, and rows. */
package io.chimera.node.dataset.client;
