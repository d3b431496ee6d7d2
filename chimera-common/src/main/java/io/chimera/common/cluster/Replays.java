package io.chimera.common.cluster;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The replays of a cluster at one moment; immutable. They run beside the live cycles, on a line of numbers of their own.
 *
 * @param mark what is over
 * @param open the replay cycle that is open, if any: at most one is
 * @param requests what is asked for or was so lately, by id
 */
public record Replays(ReplayMark mark, Optional<OpenCycle> open, SortedMap<String, ReplayRequest> requests) {
    /** No replays. */
    public static final Replays NONE = new Replays(ReplayMark.NONE, Optional.empty(), new TreeMap<>());

    /** Takes an unmodifiable copy. */
    public Replays {
        requests = Collections.unmodifiableSortedMap(new TreeMap<>(requests));
    }

    /** The request whose turn it is. */
    public Optional<ReplayRequest> current() {
        return requests.values().stream().filter(request -> !request.isDone()).findFirst();
    }

    /** Whether something is open or asked for, so that journals should keep what they retain. */
    public boolean isPending() {
        return open.isPresent() || current().isPresent();
    }
}
