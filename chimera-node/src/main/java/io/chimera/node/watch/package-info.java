/** Commands that watch and control a running cluster over the nodes' HTTP ports. */
package io.chimera.node.watch;
