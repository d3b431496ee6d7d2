package io.chimera.bench.peers;

import java.util.Iterator;

/** Names of engines for the help of the option {@code --only}. */
final class EngineNames implements Iterable<String> {
    private EngineNames() {}

    @Override
    public Iterator<String> iterator() {
        return EngineCatalog.names().iterator();
    }
}
