/** The command {@code flows}. */
package io.chimera.node.flows;
