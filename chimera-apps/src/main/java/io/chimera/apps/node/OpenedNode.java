package io.chimera.apps.node;

import io.chimera.apps.node.Launcher.RunningNode;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A running node, and all that was opened for it.
 *
 * @param face what it shows
 * @param leaving asks it to leave
 * @param awaited what it waits for before it may be closed
 * @param opened closed with the node
 */
record OpenedNode(NodeFace face, Consumer<Boolean> leaving, Supplier<Optional<String>> awaited, Opened opened)
        implements RunningNode {
    @Override
    public void leave(boolean forGood) {
        leaving.accept(forGood);
    }

    @Override
    public Optional<String> awaits() {
        return awaited.get();
    }

    @Override
    public void close() {
        opened.close();
    }
}
