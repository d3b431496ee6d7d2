/** The command that replays past cycles. */
package io.chimera.node.replay;
