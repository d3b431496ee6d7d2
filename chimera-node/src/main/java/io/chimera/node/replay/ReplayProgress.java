package io.chimera.node.replay;

import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.Replays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tracks the progress of a replay's requests in cluster views. One thread. */
final class ReplayProgress {
    private final Map<String, ReplayRequest> last = new LinkedHashMap<>();
    private boolean isWithdrawn;

    ReplayProgress(List<ReplayRequest> requests) {
        requests.forEach(request -> last.put(request.id(), request));
    }

    /**
     * Updates the progress from a view taken after the creation of the requests. A missing request that was not done
     * has been withdrawn.
     */
    void look(Replays replays) {
        last.replaceAll((id, known) -> {
            ReplayRequest shown = replays.requests().get(id);
            isWithdrawn |= shown == null && !known.isDone();
            return shown == null ? known : shown;
        });
    }

    boolean isWithdrawn() {
        return isWithdrawn;
    }

    boolean isDone() {
        return last.values().stream().allMatch(ReplayRequest::isDone);
    }

    int done() {
        return last.values().stream().mapToInt(ReplayRequest::next).sum();
    }

    int skipped() {
        return last.values().stream().mapToInt(ReplayRequest::skipped).sum();
    }

    LowMark.Totals accounts() {
        return last.values().stream().map(ReplayRequest::accounts).reduce(LowMark.Totals.ZERO, LowMark.Totals::plus);
    }

    /** Returns the progress as a map for JSON. */
    Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("replayed", done() - skipped());
        figures.put("skipped", skipped());
        figures.put("withdrawn", isWithdrawn);
        figures.put("accounts", accounts());
        figures.put("unaccounted", accounts().unaccounted());
        return figures;
    }
}
