package io.chimera.coordinator;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.chimera.common.cluster.ReplayRequest;

/**
 * A request for a replay, as the status shows it.
 *
 * @param id its name
 * @param pipeline the only pipeline that runs, or empty for all
 * @param first number of the first cycle
 * @param last number of the last
 * @param cycles how many there are
 * @param done how many of these are dealt with
 * @param skipped how many of those no journal held any more
 * @param points points of those that were run
 * @param rows rows that these wrote
 * @param unaccounted points of these that no commit accounts for; must be 0
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record ReplayStatus(
        String id,
        String pipeline,
        long first,
        long last,
        int cycles,
        int done,
        int skipped,
        long points,
        long rows,
        long unaccounted) {
    static ReplayStatus of(ReplayRequest request) {
        return new ReplayStatus(
                request.id(),
                request.pipeline(),
                request.cycles().get(0).number(),
                request.cycles().get(request.cycles().size() - 1).number(),
                request.cycles().size(),
                request.next(),
                request.skipped(),
                request.accounts().points(),
                request.accounts().rows(),
                request.accounts().unaccounted());
    }
}
