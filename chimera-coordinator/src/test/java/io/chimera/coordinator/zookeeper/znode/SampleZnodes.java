package io.chimera.coordinator.zookeeper.znode;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleSpan;
import io.chimera.common.cluster.CycleTime;
import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.Replay;
import io.chimera.common.cluster.ReplayMark;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.archive.ArchiveKind;
import io.chimera.common.cluster.archive.ArchiveMember;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One sample of each znode content, with numbers that use all 64 bits. */
final class SampleZnodes {
    static final Positions CUT =
            Positions.copyOf(Map.of(Long.MIN_VALUE, 5L, -1L, Long.MAX_VALUE, 0x1234_5678_9abc_def0L, 0L));
    static final QueueMember QUEUE = new QueueMember(
            "q1",
            JournalGroup.DEFAULT,
            -2,
            "10.0.0.1:7000",
            "q1:9600",
            -3,
            List.of(new ConfigurationDigest("d16e57"), new ConfigurationDigest("d16e56;a=1.0 (f00d)")),
            Positions.NONE,
            CUT,
            true,
            List.of(5L),
            0,
            List.of(new CycleSpan(3, 9), new CycleSpan(12, 12)));
    static final ProcessorMember PROCESSOR = new ProcessorMember(
            "p.1-ä",
            7,
            "[::1]:1",
            "",
            List.of(new ConfigurationDigest("\"quoted\"")),
            false,
            List.of("kairos", "ä\""),
            1);
    static final ArchiveMember ARCHIVE = new ArchiveMember(
            "a-1",
            -5,
            "a1:9610",
            new ArchiveMember.IndexFormat(60_000_000_000L, -7),
            3,
            Set.of(ArchiveKind.PACKETS, ArchiveKind.POINTS));
    static final Cycle CYCLE = new Cycle(42, 7, 1_700_000_000_000L, CUT, List.of(-2L, 3L), List.of(4L));
    static final Cycle REPLAY = new Cycle(
            Cycle.REPLAYS + 3,
            7,
            new CycleTime(1_700_000_000_000L, 1_699_999_000_000L),
            CUT,
            List.of(-2L),
            List.of(4L),
            Optional.of(new Replay("r-1", 17, Positions.of(-1, 3), "p")));
    static final ReplayRequest REQUEST = new ReplayRequest(
            "r-1",
            "p",
            List.of(
                    new PastCycle(17, new CycleTime(1_000, 900), Positions.of(-1, 3), Positions.of(-1, 5)),
                    new PastCycle(18, CycleTime.of(2_000), Positions.of(-1, 5), Positions.of(-1, 6))),
            1,
            1,
            new LowMark.Totals(10, 1, 2, 3, 4, 5));
    static final ReplayMark REPLAYED = new ReplayMark(Cycle.REPLAYS + 2, new LowMark.Totals(10, 1, 2, 3, 4, 5));
    static final Assignment ASSIGNMENT =
            new Assignment(3, new ConfigurationDigest("d16e57"), List.of(-2L, -2L), List.of(9L));
    static final ShardCommit COMMIT = new ShardCommit(42, 6, -9, new ShardCommit.Accounts(1, 2, 3, 4), 5, -6);
    static final LowMark LOW =
            new LowMark(41, 99, CUT, new ConfigurationDigest("d16e56"), new LowMark.Totals(10, 1, 2, 3, 4, 5));

    private SampleZnodes() {}
}
