package io.chimera.common.cluster;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Replays of a cluster at one moment; immutable. Replay cycles run concurrently with the live cycles and have their own
 * sequence of numbers.
 *
 * @param mark replay mark
 * @param open the open replay cycle, if any; at most one
 * @param requests pending and recently finished requests, by id
 */
public record Replays(ReplayMark mark, Optional<OpenCycle> open, SortedMap<String, ReplayRequest> requests) {
    /** No replays. */
    public static final Replays NONE = new Replays(ReplayMark.NONE, Optional.empty(), new TreeMap<>());

    /** Copies the map. */
    public Replays {
        requests = Collections.unmodifiableSortedMap(new TreeMap<>(requests));
    }

    /** Returns the replays as the members of a journal group see them. */
    Replays in(JournalGroup group) {
        return new Replays(mark, open.map(replay -> replay.in(group)), requests);
    }

    /** Current request, the first unfinished request. */
    public Optional<ReplayRequest> current() {
        return requests.values().stream().filter(request -> !request.isDone()).findFirst();
    }

    /** Returns whether a replay is open or requested, so journals should keep their retained records. */
    public boolean isPending() {
        return open.isPresent() || current().isPresent();
    }
}
