package io.chimera.coordinator.watch;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * Reason why no cycle begins, or why an open cycle does not end.
 *
 * @param cause code of the reason
 * @param cycle cycle that cannot begin or does not end
 * @param sinceMs start of the standstill, ms since 1970
 * @param nodes ids of the affected nodes; empty when no single node is the cause
 * @param text reason and remedy, for the operator
 */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
public record Standstill(Cause cause, long cycle, long sinceMs, List<String> nodes, String text) {
    /** Codes of the reasons; JSON uses lower case. */
    public enum Cause {
        /** The coordinator has no connection to ZooKeeper. */
        ZOOKEEPER_AWAY,
        /** ZooKeeper refuses writes of the leading coordinator. */
        WRITES_REFUSED,
        /** ZooKeeper's data is lost or older than the cluster. */
        TREE_LOST,
        /** The coordinator does not know yet whether its clock is right. */
        CLOCK_UNKNOWN,
        /** No live queue node may send parts. */
        NO_QUEUE_NODE,
        /** No live processor may take shards. */
        NO_PROCESSOR,
        /** Fewer journals hold the new points than an acknowledgement requires. */
        TOO_FEW_COPIES,
        /** No live journal still holds the start of the next cycle. */
        JOURNAL_MISSING,
        /** The owner of a part of an open cycle is not live, and no other journal holds the part. */
        PART_MISSING,
        /** A store does not accept the rows of an open cycle. */
        STORE_REFUSES,
        /** An open cycle is not committed. */
        CYCLE_OPEN,
        /** A cycle with the configuration before a changeover is still open. */
        OLD_PIPELINES,
        /** Too many cycles wait for a decision about a cycle with unaccounted points. */
        UNACCOUNTED;

        /** Returns the code for JSON. */
        @JsonValue
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Copies the nodes. */
    public Standstill {
        nodes = List.copyOf(nodes);
    }

    /** Returns a sentence for the readiness answer. */
    public String sentence() {
        return "Standstill since " + Instant.ofEpochMilli(sinceMs) + " (" + cause.code() + ", cycle " + cycle + "): "
                + text + ".";
    }
}
