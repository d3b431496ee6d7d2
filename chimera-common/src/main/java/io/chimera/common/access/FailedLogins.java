package io.chimera.common.access;

import io.chimera.common.channel.ClientAddress;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts the failed logins of each address. After {@value #FAILURES_MAX} failures within a minute the address is
 * blocked for a minute. All addresses of an IPv6 network of 64 bits count as one.
 */
final class FailedLogins {
    static final int FAILURES_MAX = 10;

    static final long PERIOD_NS = TimeUnit.MINUTES.toNanos(1);

    /** Maximum number of stored addresses: 10,000 x about 200 bytes = 2 MB. The oldest entry is evicted first. */
    private static final int ADDRESSES_MAX = 10_000;

    private static final class Failures {
        private long sinceNs;
        private int count;
    }

    private final Map<Object, Failures> byAddress = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Failures> eldest) {
            return size() > ADDRESSES_MAX;
        }
    };

    /** Remaining seconds of an address's block; 0 without a block. */
    synchronized long blockedSeconds(InetAddress address, long nowNs) {
        Failures failures = byAddress.get(ClientAddress.of(address));
        if (failures == null || failures.count < FAILURES_MAX) {
            return 0;
        }
        long leftNs = failures.sinceNs + PERIOD_NS - nowNs;
        if (leftNs <= 0) {
            byAddress.remove(ClientAddress.of(address));
            return 0;
        }
        return TimeUnit.NANOSECONDS.toSeconds(leftNs) + 1;
    }

    /** Counts a failure. The blocking failure begins the blocked minute. */
    synchronized void failed(InetAddress address, long nowNs) {
        Failures failures = byAddress.computeIfAbsent(ClientAddress.of(address), unseen -> new Failures());
        if (failures.count == 0 || nowNs - failures.sinceNs > PERIOD_NS) {
            failures.sinceNs = nowNs;
            failures.count = 0;
        }
        if (++failures.count == FAILURES_MAX) {
            failures.sinceNs = nowNs;
        }
    }
}
