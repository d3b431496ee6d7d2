package io.chimera.coordinator.zookeeper.znode;

import io.chimera.common.cluster.LowMark;
import java.util.Map;

/** The low-water mark. */
record LowMarkZnode(
        long cycle,
        long timeMs,
        @MayBeMissing String digest,
        @MayBeMissing String history,
        Map<HexName, Long> cut,
        LowMark.Totals totals) {
    static LowMarkZnode of(LowMark low) {
        return new LowMarkZnode(
                low.cycle(),
                low.timeMs(),
                low.digest().text(),
                low.history(),
                HexName.positions(low.cut()),
                low.totals());
    }

    LowMark mark() throws MalformedZnodeException {
        return new LowMark(
                cycle, timeMs, HexName.positions(cut), Digests.of(digest), totals, history == null ? "" : history);
    }
}
