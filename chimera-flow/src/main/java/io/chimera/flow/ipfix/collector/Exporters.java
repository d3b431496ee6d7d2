package io.chimera.flow.ipfix.collector;

import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Exporters known to an input, bounded in number. At the limit, exporters silent for longer than the timeout are
 * evicted; without any, a new exporter is refused. Used by one thread.
 */
final class Exporters {
    private final int exportersMax;
    private final long forgetNs;
    private final TemplateRoom room;
    private final Counters<QueueCounter> counters;
    private final Map<Key, Exporter> known = new HashMap<>();
    private final Key sought = new Key();

    /** Exporter of the most recent message: usually also the sender of the next message. */
    private Exporter last;

    private final Key lastKey = new Key();

    /**
     * Creates an empty set of exporters.
     *
     * @param exportersMax maximum number of exporters
     * @param forgetNs silence after which an exporter may be evicted
     * @param room budget for templates of all exporters
     * @param counters counters of the node
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

        /**
         * Whether the key ignores the sender's port. NetFlow 9 identifies a source by address alone (RFC 3954, 5.1),
         * IPFIX by address and port.
         */
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

    /** Returns the exporter, adding a new exporter if needed; null when the limit is reached. */
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

    @ColdPath
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

    /** Removes all exporters after the end of their connection. */
    void clear() {
        known.values().forEach(Exporter::close);
        known.clear();
        last = null;
    }
}
