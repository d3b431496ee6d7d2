/** The command that replays past cycles. */
package io.chimera.apps.node.replay;
