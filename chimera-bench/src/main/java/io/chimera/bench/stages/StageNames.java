package io.chimera.bench.stages;

import java.util.Iterator;

/** Names of stages for the help of the option {@code --only}. */
final class StageNames implements Iterable<String> {
    private StageNames() {}

    @Override
    public Iterator<String> iterator() {
        return StageCatalog.names().iterator();
    }
}
