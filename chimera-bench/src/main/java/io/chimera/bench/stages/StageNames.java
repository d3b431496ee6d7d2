package io.chimera.bench.stages;

import java.util.Iterator;

/** The names that the option {@code --only} takes, for its help. */
final class StageNames implements Iterable<String> {
    private StageNames() {}

    @Override
    public Iterator<String> iterator() {
        return StageCatalog.names().iterator();
    }
}
