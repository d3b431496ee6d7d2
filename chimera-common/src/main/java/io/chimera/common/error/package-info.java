/** Typed errors of the nodes, and their central handler. */
package io.chimera.common.error;
