/** Processes that a command starts beside itself: nodes, a KairosDB; they end when it does. */
package io.chimera.apps.node.child;
