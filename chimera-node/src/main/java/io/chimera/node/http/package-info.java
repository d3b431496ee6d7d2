/** HTTP port of a node: status, metrics, commands and the tap. Knows a node only by its {@code NodeFace}. */
package io.chimera.node.http;
