package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.ReplayMark;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.ShardId;
import io.chimera.common.error.ChimeraException;
import io.chimera.coordinator.zookeeper.znode.MalformedZnodeException;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Performs the conductor's writes. Each write is one transaction with a check of the epoch. When its outcome is
 * unknown, the written content is read and compared. Calls block until ZooKeeper answers, at most for the session
 * timeout. Only one thread writes.
 */
final class ZooKeeperConductorship implements CycleStore {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperConductorship.class);

    private final SessionAgent agent;
    private final Election election;
    private String reported = "";

    ZooKeeperConductorship(SessionAgent agent, Election election) {
        this.agent = agent;
        this.election = election;
    }

    @Override
    public ClusterView view() {
        return agent.view();
    }

    @Override
    public long epoch() {
        return agent.live() == null ? 0 : election.epoch();
    }

    /** Also checks that the previous cycle exists, so that no cycle is left out and no forgotten cycle begins again. */
    @Override
    public boolean begin(Cycle cycle, Assignment assignment) {
        if (assignment.version() != 0) {
            return false;
        }
        byte[] record = encoded(cycle);
        return record.length > 0
                && write(cycle.epoch(), new Write() {
                    @Override
                    public List<Op> steps(ZooKeeperLink link)
                            throws KeeperException, InterruptedException, MalformedZnodeException {
                        Znodes znodes = link.znodes();
                        List<Op> steps = Cycle.isReplay(cycle.number())
                                ? followsReplayMark(link, cycle.number())
                                : followsCycleBefore(link, cycle.number());
                        if (steps.isEmpty()) {
                            return steps;
                        }
                        steps.add(link.persistent(znodes.cycle(cycle.number()), record));
                        steps.add(link.persistent(znodes.assignment(cycle.number()), ZnodeCodec.encode(assignment)));
                        steps.add(link.persistent(znodes.commits(cycle.number()), new byte[0]));
                        return steps;
                    }

                    @Override
                    public boolean stands(ZooKeeperLink link) throws KeeperException, InterruptedException {
                        return Arrays.equals(record, data(link, link.znodes().cycle(cycle.number()), new Stat()));
                    }
                });
    }

    private static List<Op> followsCycleBefore(ZooKeeperLink link, long number)
            throws KeeperException, InterruptedException, MalformedZnodeException {
        Stat lowStat = new Stat();
        LowMark low = low(link, lowStat);
        List<Op> steps = new ArrayList<>();
        if (low.cycle() < number) {
            steps.add(Op.check(link.znodes().low(), lowStat.getVersion()));
        }
        if (low.cycle() < number - 1) {
            steps.add(Op.check(link.znodes().cycle(number - 1), 0));
        }
        return steps;
    }

    private static List<Op> followsReplayMark(ZooKeeperLink link, long number)
            throws KeeperException, InterruptedException, MalformedZnodeException {
        Stat stat = new Stat();
        List<Op> steps = new ArrayList<>();
        if (ZnodeCodec.replayMark(data(link, link.znodes().replayed(), stat)).cycle() + 1 == number) {
            steps.add(Op.check(link.znodes().replayed(), stat.getVersion()));
        }
        return steps;
    }

    @Override
    public boolean assign(long cycle, Assignment next) {
        byte[] record = ZnodeCodec.encode(next);
        return write(election.epoch(), new Write() {
            @Override
            public List<Op> steps(ZooKeeperLink link) {
                return List.of(Op.setData(link.znodes().assignment(cycle), record, next.version() - 1));
            }

            @Override
            public boolean stands(ZooKeeperLink link) throws KeeperException, InterruptedException {
                Stat stat = new Stat();
                byte[] found = data(link, link.znodes().assignment(cycle), stat);
                return stat.getVersion() == next.version() && Arrays.equals(record, found);
            }
        });
    }

    /**
     * Also checks that all commits exist: after {@link #reopen} a view may show the new assignment and still the
     * deleted commits, and members would take the reopened cycle for committed. Only this conductor deletes commits, so
     * none disappears between the read and the write. The checks of missing commits let the write fail, after the check
     * of the epoch.
     */
    @Override
    public boolean verify(long cycle, LowMark.Totals accounts) {
        return write(election.epoch(), new Write() {
            @Override
            public List<Op> steps(ZooKeeperLink link)
                    throws KeeperException, InterruptedException, MalformedZnodeException {
                Znodes znodes = link.znodes();
                Stat stat = new Stat();
                byte[] assignment = data(link, znodes.assignment(cycle), stat);
                int shards = ZnodeCodec.assignment(assignment, stat.getVersion())
                        .processors()
                        .size();
                Set<String> commits = Set.copyOf(link.client().getChildren(znodes.commits(cycle)));
                List<Op> steps = new ArrayList<>();
                IntStream.range(0, shards)
                        .filter(shard -> !commits.contains(Integer.toString(shard)))
                        .mapToObj(shard -> Op.check(znodes.commit(new ShardId(cycle, shard)), 0))
                        .forEach(steps::add);
                steps.add(Op.check(znodes.cycle(cycle), 0));
                steps.add(link.persistent(znodes.verified(cycle), ZnodeCodec.encode(accounts)));
                return steps;
            }

            @Override
            public boolean stands(ZooKeeperLink link) throws KeeperException, InterruptedException {
                return data(link, link.znodes().verified(cycle), new Stat()).length > 0;
            }
        });
    }

    @Override
    public boolean reopen(long cycle, Assignment next) {
        byte[] record = ZnodeCodec.encode(next);
        return write(election.epoch(), new Write() {
            @Override
            public List<Op> steps(ZooKeeperLink link) throws KeeperException, InterruptedException {
                Znodes znodes = link.znodes();
                List<Op> steps = new ArrayList<>();
                steps.add(Op.check(znodes.cycle(cycle), 0));
                steps.add(Op.setData(znodes.assignment(cycle), record, next.version() - 1));
                for (String shard : link.client().getChildren(znodes.commits(cycle))) {
                    steps.add(Op.delete(znodes.commits(cycle) + "/" + shard, -1));
                }
                if (link.client().exists(znodes.verified(cycle))) {
                    steps.add(Op.delete(znodes.verified(cycle), -1));
                }
                return steps;
            }

            @Override
            public boolean stands(ZooKeeperLink link) throws KeeperException, InterruptedException {
                Stat stat = new Stat();
                byte[] found = data(link, link.znodes().assignment(cycle), stat);
                return stat.getVersion() == next.version() && Arrays.equals(record, found);
            }
        });
    }

    /**
     * Sets the mark in the same transaction before the deletions, so that no reader misses a cycle without the mark
     * that explains it.
     */
    @Override
    public boolean advance(LowMark mark) {
        return write(election.epoch(), new Write() {
            @Override
            public List<Op> steps(ZooKeeperLink link)
                    throws KeeperException, InterruptedException, MalformedZnodeException {
                Stat lowStat = new Stat();
                LowMark low = low(link, lowStat);
                if (low.cycle() >= mark.cycle()) {
                    return List.of();
                }
                List<Op> steps = new ArrayList<>();
                steps.add(Op.setData(link.znodes().low(), ZnodeCodec.encode(mark), lowStat.getVersion()));
                addDeletions(link, number -> number <= mark.cycle(), steps);
                return steps;
            }

            @Override
            public boolean stands(ZooKeeperLink link)
                    throws KeeperException, InterruptedException, MalformedZnodeException {
                return low(link, new Stat()).equals(mark);
            }
        });
    }

    @Override
    public boolean advanceReplay(ReplayMark mark, Optional<ReplayRequest> request) {
        return write(election.epoch(), new Write() {
            @Override
            public List<Op> steps(ZooKeeperLink link)
                    throws KeeperException, InterruptedException, MalformedZnodeException {
                Stat stat = new Stat();
                if (ZnodeCodec.replayMark(data(link, link.znodes().replayed(), stat))
                                .cycle()
                        > mark.cycle()) {
                    return List.of();
                }
                List<Op> steps = new ArrayList<>();
                steps.add(Op.setData(link.znodes().replayed(), ZnodeCodec.encode(mark), stat.getVersion()));
                request.ifPresent(
                        noted -> steps.add(Op.setData(link.znodes().replay(noted.id()), ZnodeCodec.encode(noted), -1)));
                addDeletions(link, number -> Cycle.isReplay(number) && number <= mark.cycle(), steps);
                return steps;
            }

            @Override
            public boolean stands(ZooKeeperLink link)
                    throws KeeperException, InterruptedException, MalformedZnodeException {
                Znodes znodes = link.znodes();
                return Arrays.equals(ZnodeCodec.encode(mark), data(link, znodes.replayed(), new Stat()))
                        && (request.isEmpty()
                                || Arrays.equals(
                                        ZnodeCodec.encode(request.get()),
                                        data(link, znodes.replay(request.get().id()), new Stat())));
            }
        });
    }

    @Override
    public boolean forgetReplay(String request) {
        return write(election.epoch(), new Write() {
            @Override
            public List<Op> steps(ZooKeeperLink link) {
                return List.of(Op.delete(link.znodes().replay(request), -1));
            }

            @Override
            public boolean stands(ZooKeeperLink link) throws KeeperException, InterruptedException {
                return !link.client().exists(link.znodes().replay(request));
            }
        });
    }

    private static void addDeletions(ZooKeeperLink link, LongPredicate isOver, List<Op> steps)
            throws KeeperException, InterruptedException {
        TreeClient client = link.client();
        for (String folder : List.of("commits", "assign", "cycles", "verified")) {
            for (String cycle : client.getChildren(link.znodes().folder(folder))) {
                if (!cycle.matches("\\d{1,18}") || !isOver.test(Long.parseLong(cycle))) {
                    continue;
                }
                String path = link.znodes().folder(folder) + "/" + cycle;
                if (folder.equals("commits")) {
                    for (String shard : client.getChildren(path)) {
                        steps.add(Op.delete(path + "/" + shard, -1));
                    }
                }
                steps.add(Op.delete(path, -1));
            }
        }
    }

    @Override
    public void close() {
        election.close();
    }

    /** A write of the conductor. */
    private interface Write {
        /**
         * Returns the steps besides the check of the epoch; empty when the write cannot succeed, or is already done.
         */
        List<Op> steps(ZooKeeperLink link) throws KeeperException, InterruptedException, MalformedZnodeException;

        /** Returns whether ZooKeeper has the written content. */
        boolean stands(ZooKeeperLink link) throws KeeperException, InterruptedException, MalformedZnodeException;
    }

    private boolean write(long epoch, Write write) {
        ZooKeeperLink link = agent.live();
        if (link == null || epoch == 0 || epoch != election.epoch()) {
            return false;
        }
        try {
            return attempt(link, Math.toIntExact(epoch), write) || write.stands(link);
        } catch (KeeperException.NoNodeException e) {
            return false;
        } catch (KeeperException e) {
            LOG.info("The outcome of a write to ZooKeeper is unknown ({}); the next view shows it.", e.code());
            return false;
        } catch (MalformedZnodeException e) {
            report(link, e.getMessage());
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean attempt(ZooKeeperLink link, int epoch, Write write)
            throws InterruptedException, MalformedZnodeException {
        try {
            List<Op> steps = new ArrayList<>();
            steps.add(Op.check(link.znodes().epoch(), epoch));
            steps.addAll(write.steps(link));
            if (steps.size() == 1) {
                return false;
            }
            link.client().multi(steps);
            return true;
        } catch (KeeperException e) {
            if (isOvertaken(e)) {
                LOG.info("Another coordinator took the lead; epoch {} is over.", epoch);
                election.forget();
            }
            return false;
        }
    }

    /** Reports a reason once, not for each attempt. */
    private void report(ZooKeeperLink link, String reason) {
        if (!reason.equals(reported)) {
            reported = reason;
            LOG.error(
                    "No cycle begins or ends: {} cannot be read because {}. Rebuild the tree from the control copies of"
                            + " the queue nodes: chimera cluster recover.",
                    link.znodes().low(),
                    reason);
        }
    }

    /** Returns whether the check of the epoch, always the first step, failed. */
    private static boolean isOvertaken(KeeperException e) {
        List<OpResult> results = e.getResults();
        return results != null
                && !results.isEmpty()
                && results.get(0) instanceof OpResult.ErrorResult first
                && first.getErr() == KeeperException.Code.BADVERSION.intValue();
    }

    private static byte[] encoded(Cycle cycle) {
        try {
            return ZnodeCodec.encode(cycle);
        } catch (ChimeraException e) {
            LOG.error("Cycle {} cannot begin. {}", cycle.number(), e.getMessage());
            return new byte[0];
        }
    }

    private static LowMark low(ZooKeeperLink link, Stat stat)
            throws KeeperException, InterruptedException, MalformedZnodeException {
        return ZnodeCodec.low(data(link, link.znodes().low(), stat));
    }

    private static byte[] data(ZooKeeperLink link, String path, Stat stat)
            throws KeeperException, InterruptedException {
        return link.client().getData(path, stat);
    }
}
