/** The command that runs past cycles again. */
package io.chimera.apps.node.replay;
