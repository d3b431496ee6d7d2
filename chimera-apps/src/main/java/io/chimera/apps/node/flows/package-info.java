/** The command {@code flows}. */
package io.chimera.apps.node.flows;
