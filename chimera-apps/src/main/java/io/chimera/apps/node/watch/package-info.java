/** Commands that look at a running cluster over the nodes' HTTP ports. */
package io.chimera.apps.node.watch;
