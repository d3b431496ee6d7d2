package io.chimera.coordinator.zookeeper.znode;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.chimera.common.cluster.LowMark;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The low-water mark. */
record LowMarkZnode(
        long cycle,
        long timeMs,
        @MayBeMissing String digest,
        @MayBeMissing String history,
        Map<HexName, Long> cut,
        LowMark.Totals totals,

        @MayBeMissing @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
        Map<HexName, String> streams) {
    static LowMarkZnode of(LowMark low) {
        return new LowMarkZnode(
                low.cycle(),
                low.timeMs(),
                low.digest().text(),
                low.history(),
                HexName.positions(low.cut()),
                low.totals(),
                GroupNames.of(low.streams()));
    }

    LowMark mark() throws MalformedZnodeException {
        return new LowMark(
                cycle,
                timeMs,
                HexName.positions(cut),
                Digests.of(digest),
                totals,
                history == null ? "" : history,
                GroupNames.streams(streams));
    }
}
