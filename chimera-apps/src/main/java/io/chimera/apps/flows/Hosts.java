package io.chimera.apps.flows;

import io.chimera.api.spi.Text;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/** What was seen of the hosts of a partition in a cycle; no more of them than a number are told apart. One thread. */
final class Hosts<T> {
    private final int most;
    private final Supplier<T> fresh;
    private final TreeMap<String, T> hosts = new TreeMap<>();

    /**
     * None yet.
     *
     * @param most hosts
     * @param fresh makes what is kept of a host
     */
    Hosts(int most, Supplier<T> fresh) {
        this.most = most;
        this.fresh = fresh;
    }

    /** What is kept of a host; null where there are too many others. */
    T of(Text host) {
        String name = host.toString();
        T seen = hosts.get(name);
        if (seen == null && hosts.size() < most) {
            seen = fresh.get();
            hosts.put(name, seen);
        }
        return seen;
    }

    /** Hands all of them out, by name, and forgets them. */
    void drain(BiConsumer<String, T> to) {
        hosts.forEach(to);
        hosts.clear();
    }
}
