/** The command that prints the compositions of pipelines. */
package io.chimera.apps.node.graph;
