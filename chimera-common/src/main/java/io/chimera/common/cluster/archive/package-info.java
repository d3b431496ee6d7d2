/** Archive nodes as members of the cluster. */
package io.chimera.common.cluster.archive;
