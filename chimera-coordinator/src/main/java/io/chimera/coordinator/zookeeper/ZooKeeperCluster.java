package io.chimera.coordinator.zookeeper;

import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.MemberAnnouncement.Content;
import io.chimera.coordinator.zookeeper.MemberAnnouncement.Member;
import io.chimera.coordinator.zookeeper.MemberAnnouncement.Standing;
import io.chimera.coordinator.zookeeper.znode.ZnodeCodec;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node's access to the cluster in ZooKeeper. Any thread; the session's agent does the work. */
final class ZooKeeperCluster implements Cluster {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperCluster.class);

    /**
     * Timeout of the withdrawal. A write takes some ms; after the timeout the end of the session withdraws the
     * announcements.
     */
    private static final long WITHDRAW_WITHIN_MS = 1_000;

    private final SessionAgent agent;
    private final MemberAnnouncer queue;
    private final MemberAnnouncer processor;
    private final MemberAnnouncer archive;
    private final Committer committer;

    ZooKeeperCluster(SessionAgent agent, Committer committer, Counters<ClusterCounter> counters) {
        this.agent = agent;
        this.committer = committer;
        queue = new MemberAnnouncer(agent, counters);
        processor = new MemberAnnouncer(agent, counters);
        archive = new MemberAnnouncer(agent, counters);
        agent.add(queue);
        agent.add(processor);
        agent.add(archive);
    }

    @Override
    public ClusterView view() {
        return agent.view();
    }

    @Override
    public void onView(Runnable listener) {
        agent.onView(listener);
    }

    @Override
    public void announce(QueueMember self) {
        ZooKeeperSettings.checkName("queue node", self.id());
        try {
            queue.announce(new MemberAnnouncement(
                    new Member("queue", self.id(), self.session()),
                    new Content(
                            agent.znodes().queue(self.session()),
                            ZnodeCodec.encode(self),
                            self.leaving() ? Standing.LEAVES : Standing.STAYS),
                    Optional.of(new Content(agent.znodes().group(self.id()), ZnodeCodec.registered(self))),
                    new JournalRegistration(self),
                    upgradeBy(self),
                    view -> view.queue(self.session()).isPresent()));
            agent.wake();
        } catch (ChimeraException e) {
            LOG.error("The state of queue node {} is not announced. {}", self.id(), e.getMessage());
        }
    }

    /**
     * Returns the version of a tree with several journal groups, so that a node of an earlier release stops at its
     * start.
     */
    private Optional<Content> upgradeBy(QueueMember self) {
        return self.group().isDefault()
                ? Optional.empty()
                : Optional.of(new Content(agent.znodes().version(), ZnodeCodec.version(ZnodeCodec.PROTOCOL)));
    }

    @Override
    public void announce(ProcessorMember self) {
        ZooKeeperSettings.checkName("processor", self.id());
        processor.announce(new MemberAnnouncement(
                new Member("processor", self.id(), self.session()),
                new Content(agent.znodes().processor(self.session()), ZnodeCodec.encode(self)),
                Optional.empty(),
                view -> view.processor(self.session()).isPresent()));
        agent.wake();
    }

    @Override
    public void announce(ArchiveMember self) {
        ZooKeeperSettings.checkName("archive node", self.id());
        archive.announce(new MemberAnnouncement(
                new Member("archive", self.id(), self.session()),
                new Content(agent.znodes().archive(self.session()), ZnodeCodec.encode(self)),
                Optional.of(new Content(agent.znodes().archiveNode(self.id()), ZnodeCodec.known(self))),
                view -> view.archives().member(self.session()).isPresent()));
        agent.wake();
    }

    @Override
    public void commit(ShardCommit commit, int assignmentVersion) {
        agent.post(() -> committer.commit(commit, assignmentVersion));
    }

    /** Returns why an announcement is refused, for the operator. */
    Optional<String> refusal() {
        return Stream.of(queue.refusal(), processor.refusal(), archive.refusal())
                .filter(text -> !text.isEmpty())
                .findFirst();
    }

    /** Returns the processes that claim an id of this node, for the operator. */
    List<String> claims() {
        return Stream.of(queue.claim(), processor.claim(), archive.claim())
                .filter(text -> !text.isEmpty())
                .toList();
    }

    @Override
    public void close() {
        List<CountDownLatch> withdrawn = List.of(queue.withdraw(), processor.withdraw(), archive.withdraw());
        agent.wake();
        if (agent.live() == null) {
            return;
        }
        try {
            boolean isDone = true;
            for (CountDownLatch latch : withdrawn) {
                isDone &= latch.await(WITHDRAW_WITHIN_MS, TimeUnit.MILLISECONDS);
            }
            if (!isDone) {
                LOG.warn("Withdrawing the announcement failed; the expiry of the session removes the announcement.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
