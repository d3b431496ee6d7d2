/** The typed errors of the nodes, and the one place that hears of them. */
package io.chimera.common.error;
