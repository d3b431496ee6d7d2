package io.chimera.queue.ipfix;

import io.chimera.api.HotPath;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The exporters that an input knows. Their number is bounded: when there is no more room, those that were not heard of for long are
 * forgotten, and otherwise a new one is refused. One thread.
 */
final class Exporters {
    private final int exportersMax;
    private final long forgetNs;
    private final TemplateRoom room;
    private final Counters<QueueCounter> counters;
    private final Map<Key, Exporter> known = new HashMap<>();
    private final Key sought = new Key();

    /** The one that spoke last, who most often speaks again. */
    private Exporter last;

    private final Key lastKey = new Key();

    /**
     * Nobody is known.
     *
     * @param exportersMax as many at one time
     * @param forgetNs one that was not heard of for so long makes room for another
     * @param room for their templates
     * @param counters the node's
     */
    Exporters(int exportersMax, long forgetNs, TemplateRoom room, Counters<QueueCounter> counters) {
        this.exportersMax = exportersMax;
        this.forgetNs = forgetNs;
        this.room = room;
        this.counters = counters;
    }

    private static final class Key {
        private InetSocketAddress address;
        private int version;
        private long domain;

        Key set(InetSocketAddress newAddress, int newVersion, long newDomain) {
            address = newAddress;
            version = newVersion;
            domain = newDomain;
            return this;
        }

        /** RFC 3954 (5.1): NetFlow 9 has one source at an address, whatever port it sends from. IPFIX has one at a port. */
        private boolean isPortOfNoConcern() {
            return version == FlowMessages.NETFLOW_9;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key
                    && version == key.version
                    && domain == key.domain
                    && sameAddress(key.address);
        }

        private boolean sameAddress(InetSocketAddress other) {
            if (address == null || other == null) {
                return address == null && other == null;
            }
            return address.getAddress().equals(other.getAddress())
                    && (isPortOfNoConcern() || address.getPort() == other.getPort());
        }

        @Override
        public int hashCode() {
            int hash = 31 * version + Long.hashCode(domain);
            if (address != null) {
                hash = 31 * hash + Objects.hashCode(address.getAddress());
                hash = isPortOfNoConcern() ? hash : 31 * hash + address.getPort();
            }
            return hash;
        }
    }

    /** Finds an exporter; null when it is new and there is no room for it. */
    @HotPath
    Exporter find(InetSocketAddress address, int version, long domain, long nowNs) {
        Exporter found = last != null && sought.set(address, version, domain).equals(lastKey)
                ? last
                : known.get(sought.set(address, version, domain));
        if (found == null) {
            found = meet(address, version, domain, nowNs);
        }
        if (found != null) {
            found.heard(nowNs);
            last = found;
            lastKey.set(address, version, domain);
        }
        return found;
    }

    private Exporter meet(InetSocketAddress address, int version, long domain, long nowNs) {
        if (known.size() >= exportersMax) {
            known.values().removeIf(exporter -> forget(exporter, nowNs));
            last = null;
        }
        if (known.size() >= exportersMax) {
            counters.increment(QueueCounter.IPFIX_EXPORTERS_REFUSED);
            return null;
        }
        Exporter met = new Exporter(address, version, domain, room, counters);
        known.put(new Key().set(address, version, domain), met);
        return met;
    }

    private boolean forget(Exporter exporter, long nowNs) {
        boolean isSilent = nowNs - exporter.heardNs() > forgetNs;
        if (isSilent) {
            exporter.close();
        }
        return isSilent;
    }

    /** Forgets all of them: their connection has ended. */
    void clear() {
        known.values().forEach(Exporter::close);
        known.clear();
        last = null;
    }
}
