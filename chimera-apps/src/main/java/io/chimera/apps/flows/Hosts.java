package io.chimera.apps.flows;

import io.chimera.api.spi.Text;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** State per host of a partition in one cycle, for a limited number of hosts. One thread. */
final class Hosts<T> {
    private final int most;
    private final Supplier<T> fresh;
    private final TreeMap<String, T> hosts = new TreeMap<>();

    /**
     * Creates an empty table.
     *
     * @param most maximum number of hosts
     * @param fresh creates the state of a new host
     */
    Hosts(int most, Supplier<T> fresh) {
        this.most = most;
        this.fresh = fresh;
    }

    /** Returns the state of a host. Returns null for a new host when the table is full. */
    T of(Text host) {
        String name = host.toString();
        T seen = hosts.get(name);
        if (seen == null && hosts.size() < most) {
            seen = fresh.get();
            hosts.put(name, seen);
        }
        return seen;
    }

    /** Passes all entries to a consumer in the order of their names, and empties the table. */
    void drain(BiConsumer<String, T> to) {
        hosts.forEach(to);
        hosts.clear();
    }
}
