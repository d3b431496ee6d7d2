package io.chimera.bench.peers;

import java.util.Iterator;

/** The names that the option {@code --only} takes, for its help. */
final class EngineNames implements Iterable<String> {
    private EngineNames() {}

    @Override
    public Iterator<String> iterator() {
        return EngineCatalog.names().iterator();
    }
}
