package io.chimera.apps.node;

import io.chimera.apps.node.Launcher.RunningNode;

/**
 * A running node, and all that was opened for it.
 *
 * @param face what it shows
 * @param opened closed with the node
 */
record OpenedNode(NodeFace face, Opened opened) implements RunningNode {
    @Override
    public void close() {
        opened.close();
    }
}
