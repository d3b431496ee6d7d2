package io.chimera.coordinator;

import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.chimera.common.cluster.ReplayRequest;

/**
 * A replay request as shown by the status.
 *
 * @param id id of the request
 * @param pipeline the only pipeline to run, or empty for all
 * @param first number of the first cycle
 * @param last number of the last cycle
 * @param cycles number of cycles
 * @param done number of cycles that were replayed or skipped
 * @param skipped number of cycles that no journal held any more
 * @param points points of the replayed cycles
 * @param rows rows written by the replayed cycles
 * @param unaccounted points of the replayed cycles without an account in any commit; must be 0
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
