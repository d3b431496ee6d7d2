/** The command that prints pipelines as a graph. */
package io.chimera.node.graph;
