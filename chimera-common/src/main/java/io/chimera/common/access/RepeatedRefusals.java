package io.chimera.common.access;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Limits the reports of repeated refusals to one per minute for a client address, target and reason. Any thread.
 */
final class RepeatedRefusals {
    static final long PERIOD_NS = TimeUnit.MINUTES.toNanos(1);

    /** Maximum number of stored refusals: 1,000 x at most 1 KB = 1 MB. The oldest entry is evicted first. */
    static final int ENTRIES_MAX = 1_000;

    /** Maximum stored length of a target, which the client controls. */
    private static final int TARGET_MAX = 200;

    private record Refused(InetAddress client, String target, String reason) {}

    private final Map<Refused, Long> reportedNs = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Refused, Long> eldest) {
            return size() > ENTRIES_MAX;
        }
    };

    /** Returns whether a refusal must be reported now; true begins a new minute. */
    synchronized boolean isDue(InetAddress client, String target, String reason, long nowNs) {
        String stored = target.length() <= TARGET_MAX ? target : target.substring(0, TARGET_MAX);
        Refused refused = new Refused(client, stored, reason);
        Long lastNs = reportedNs.get(refused);
        if (lastNs != null && nowNs - lastNs < PERIOD_NS) {
            return false;
        }
        reportedNs.remove(refused); // insertion order is the order of age
        reportedNs.put(refused, nowNs);
        return true;
    }

    synchronized int size() {
        return reportedNs.size();
    }
}
