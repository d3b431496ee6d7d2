package io.chimera.bench.scale.quota;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.TimeUnit;

/** Waits until a processor that joins has stored its full share of a cycle. One thread. */
final class JoinWatch implements LimitedCluster.Polling {
    private static final long NONE = -1;

    private final String processor;
    private final int processors;
    private long joinedNs = NONE;
    private long newestAtJoin = NONE;
    private long firstFull = NONE;
    private long storedNs = NONE;

    /**
     * Creates a watch.
     *
     * @param processor id of the joining processor
     * @param processors number of processors including this one
     */
    JoinWatch(String processor, int processors) {
        this.processor = processor;
        this.processors = processors;
    }

    @Override
    public boolean again(long ns, JsonNode status) {
        if (joinedNs == NONE && isMember(status)) {
            joinedNs = ns;
            newestAtJoin = newest(status);
        }
        if (firstFull == NONE) {
            for (JsonNode cycle : status.path("open")) {
                if (firstFull == NONE && hasFullShare(cycle)) {
                    firstFull = cycle.path("cycle").asLong();
                }
            }
        }
        if (firstFull != NONE && status.path("last_cycle").asLong() >= firstFull) {
            storedNs = ns;
        }
        return storedNs == NONE;
    }

    private boolean isMember(JsonNode status) {
        for (JsonNode member : status.path("members")) {
            if (member.path("id").asText().equals(processor)) {
                return true;
            }
        }
        return false;
    }

    private static long newest(JsonNode status) {
        long newest = status.path("last_cycle").asLong();
        for (JsonNode cycle : status.path("open")) {
            newest = Math.max(newest, cycle.path("cycle").asLong());
        }
        return newest;
    }

    private boolean hasFullShare(JsonNode cycle) {
        int own = 0;
        for (JsonNode shard : cycle.path("shards")) {
            own += shard.path("processor").asText().equals(processor) ? 1 : 0;
        }
        return own > 0 && own * processors >= cycle.path("shards").size();
    }

    /** Returns the time from the registration to the commit of the first cycle with the full share. */
    double seconds() {
        return (storedNs - joinedNs) / (double) TimeUnit.SECONDS.toNanos(1);
    }

    /** Returns the number of cycles from the registration to the first cycle with the full share. */
    long cycles() {
        return firstFull - newestAtJoin;
    }
}
