package io.chimera.testkit.cluster;

import io.chimera.common.cluster.Assignment;
import io.chimera.common.cluster.Cluster;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Cycle;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.cluster.JournalLosses;
import io.chimera.common.cluster.LowMark;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.cluster.ReplayMark;
import io.chimera.common.cluster.ReplayRequest;
import io.chimera.common.cluster.ShardCommit;
import io.chimera.common.cluster.ShardId;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Simulated store of the coordinator, with the versions and fences of the real store; all nodes of a simulation share
 * one instance. Nothing happens spontaneously or randomly: sessions expire and connections break on request of a test.
 * Views arrive immediately or, in the stepped mode, at {@link #step()} for all clients or at {@link
 * #step(IntUnaryOperator)} for one client at a time. Any thread.
 */
public final class MemoryCluster {
    private final boolean stepped;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Lead> leads = new ArrayList<>();
    private UnaryOperator<ShardCommit> miscount = commit -> commit;
    private final MemoryClusterState store = new MemoryClusterState();
    private long epoch;
    private long revision;
    private ClusterView truth;

    /** Connected client: a {@link Node} or a {@link Lead}. */
    public interface Client {
        /** Current view of the client. */
        ClusterView view();

        /** Silently blocks or unblocks the connection in both directions. */
        void hang(boolean hangs);

        /** Breaks the connection; the session lives until {@link #expire()}. */
        void disconnect();

        /** Restores the connection, with a new session if the old session expired. */
        void reconnect();

        /** Expires the session. */
        void expire();

        /** Ends the client process; its session lives until {@link #expire()}. */
        void die();
    }

    private MemoryCluster(boolean stepped) {
        this.stepped = stepped;
    }

    /** Creates a store with immediately visible changes. */
    public static MemoryCluster immediate() {
        return new MemoryCluster(false);
    }

    /**
     * Creates a stepped store: announcements and commits take effect, and changes become visible, only with {@link
     * #step()}.
     */
    public static MemoryCluster stepped() {
        return new MemoryCluster(true);
    }

    /** Connects a new node. */
    public synchronized Node join() {
        Node node = new Node();
        nodes.add(node);
        settle();
        return node;
    }

    /**
     * Connects a new coordinator. The first coordinator leads; after the expiry of its session, the next one in join
     * order.
     */
    public synchronized Lead lead() {
        Lead lead = new Lead();
        leads.add(lead);
        settle();
        return lead;
    }

    /**
     * Executes the pending requests in the order in which the nodes joined, then publishes the result to all clients.
     */
    public synchronized void step() {
        nodes.forEach(Node::write);
        elect();
        leads.stream()
                .filter(lead -> lead.isReachable() && lead.hasWrites())
                .toList()
                .forEach(Lead::write);
        elect();
        publish();
    }

    /**
     * Executes one action of the caller's choice: either the requests of one node take effect, or one client gets a new
     * view. A view may cover only the members or only the cycles, because the real store reads one znode after the
     * other.
     *
     * @param choose returns an index below its argument, the number of choices
     * @return the affected node or coordinator; null if nothing is pending
     */
    public synchronized Client step(IntUnaryOperator choose) {
        elect();
        List<MemoryLink> busy = new ArrayList<>();
        for (MemoryLink link : links()) {
            if (link.isReachable() && (link.hasWrites() || link.isBehind())) {
                busy.add(link);
            }
        }
        if (busy.isEmpty()) {
            return null;
        }
        MemoryLink link = busy.get(choose.applyAsInt(busy.size()));
        if (link.hasWrites() && (!link.isBehind() || choose.applyAsInt(2) == 0)) {
            link.write();
        } else {
            int part = link.sight.isWhole() ? choose.applyAsInt(4) : -1;
            link.sight.look(link.scoped(truth()), part != 0, part != 1);
            link.seen();
        }
        return link;
    }

    private List<MemoryLink> links() {
        List<MemoryLink> links = new ArrayList<>(nodes.size() + leads.size());
        links.addAll(nodes);
        links.addAll(leads);
        return links;
    }

    /**
     * Removes the lanes of a queue node from their groups in one step, like an operator after a permanent failure.
     *
     * @param ids ids of the lanes; ids that are not registered are left out
     * @param seen losses in the view that permits the removal
     * @return false when no lane was registered
     * @throws ChimeraException when a lane is live, or its group has lost another journal since
     */
    public synchronized boolean unregister(Collection<String> ids, JournalLosses seen) {
        Optional<String> live = held(node -> node.heldQueue)
                .map(QueueMember::id)
                .filter(ids::contains)
                .findFirst();
        if (live.isPresent()) {
            throw new ChimeraException(Category.ERROR, "Queue node " + live.get() + " has returned.");
        }
        boolean isRemoved = store.unregister(ids, seen);
        change();
        return isRemoved;
    }

    /** Submits a replay request, like an operator. */
    public synchronized void requestReplay(ReplayRequest request) {
        store.request(request);
        change();
    }

    /** Withdraws a replay request, like an operator. */
    public synchronized void withdrawReplay(String id) {
        store.withdraw(id);
        change();
    }

    /** Begins a tree with a history, as the first coordinator does. Call before any client connects. */
    public synchronized void begin(String history) {
        store.lose(history);
    }

    /**
     * Simulates the loss of ZooKeeper's disk: replaces the state by a new tree without sessions. The caller must expire
     * the clients.
     *
     * @param history name of the new tree's history of cycles
     */
    public synchronized void lose(String history) {
        store.lose(history);
        epoch = 0;
        nodes.forEach(node -> {
            node.heldQueue = null;
            node.heldProcessor = null;
        });
        leads.forEach(lead -> {
            lead.electable = false;
            lead.leading = false;
        });
        change();
    }

    /** Restores a state recovered by an operator. */
    public synchronized void recover(ControlState state) {
        store.recover(state);
        epoch = Math.max(epoch, state.epoch()) + 1;
        change();
    }

    /** Cycles recorded as verified and not yet deleted. */
    public synchronized SortedMap<Long, LowMark.Totals> verified() {
        return store.verified();
    }

    /** Current state of the store. */
    public synchronized ClusterView truth() {
        if (truth == null || truth.revision() != revision) {
            truth = store.view(
                    revision,
                    held(node -> node.heldQueue)
                            .sorted(Comparator.comparing(QueueMember::id))
                            .toList(),
                    held(node -> node.heldProcessor)
                            .sorted(Comparator.comparing(ProcessorMember::id))
                            .toList());
        }
        return truth;
    }

    /** Epoch of the newest leadership, checked by every write of a conductor. */
    public synchronized long epoch() {
        return epoch;
    }

    long revision() {
        return revision;
    }

    /** Records a change; the next step publishes the change. */
    void touch() {
        revision++;
    }

    private void note(boolean isChanged) {
        revision += isChanged ? 1 : 0;
    }

    private void settle() {
        if (!stepped) {
            step();
        }
    }

    void change() {
        revision++;
        settle();
    }

    private void publish() {
        for (MemoryLink link : links()) {
            if (link.isReachable() && link.isBehind()) {
                link.sight.look(link.scoped(truth()), true, true);
            }
            link.seen();
        }
    }

    private void elect() {
        leads.stream().filter(lead -> lead.electable).findFirst().ifPresent(first -> {
            if (!first.leading) {
                first.leading = true;
                first.term = ++epoch;
                revision++;
            }
        });
    }

    private <M> Stream<M> held(Function<Node, M> member) {
        return nodes.stream().map(member).flatMap(Stream::ofNullable);
    }

    /** Falsifies the accounts of all later commits, like a defective processor. */
    public synchronized void miscount(UnaryOperator<ShardCommit> how) {
        miscount = how;
    }

    /** Connection of a node. Requests on a broken connection take effect after its restoration. */
    public final class Node extends MemoryLink implements Cluster {
        private final List<Runnable> commits = new ArrayList<>();

        /** Shards that this node has tried to commit: the node reads their commits. */
        private final Set<ShardId> tried = new HashSet<>();

        private QueueMember queue;
        private ProcessorMember processor;
        private QueueMember heldQueue;
        private ProcessorMember heldProcessor;

        /** Whether the store has accepted an announcement of the queue node. */
        private boolean hasQueueJoined;

        private boolean isQueueAsked;
        private boolean isProcessorAsked;

        private Node() {
            super(MemoryCluster.this);
        }

        /** No-op: tests drive the agents directly, so no thread needs a wakeup. */
        @Override
        public void onView(Runnable listener) {}

        @Override
        public void announce(QueueMember self) {
            synchronized (MemoryCluster.this) {
                queue = self;
                isQueueAsked = true;
                settle();
            }
        }

        @Override
        public void announce(ProcessorMember self) {
            synchronized (MemoryCluster.this) {
                processor = self;
                isProcessorAsked = true;
                settle();
            }
        }

        @Override
        public void announce(ArchiveMember self) {
            throw new UnsupportedOperationException("No archive nodes are kept in memory.");
        }

        @Override
        public void commit(ShardCommit commit, int assignmentVersion) {
            synchronized (MemoryCluster.this) {
                ShardCommit written = miscount.apply(commit);
                commits.add(() -> {
                    tried.add(written.id());
                    note(store.commit(written, assignmentVersion));
                });
                settle();
            }
        }

        /** Session of another node with the same id, which blocks the announcement. */
        public Optional<Long> refusedFor() {
            synchronized (MemoryCluster.this) {
                return holderOf(queue, node -> node.heldQueue, QueueMember::id)
                        .map(QueueMember::session)
                        .or(() -> holderOf(processor, node -> node.heldProcessor, ProcessorMember::id)
                                .map(ProcessorMember::session));
            }
        }

        /** Expires the session. A connected node announces itself again at the next step. */
        @Override
        public void expire() {
            synchronized (MemoryCluster.this) {
                heldQueue = null;
                heldProcessor = null;
                isQueueAsked = true;
                isProcessorAsked = true;
                if (closed) {
                    nodes.remove(this);
                }
                revision++;
                if (!stepped) {
                    publish();
                }
            }
        }

        @Override
        public void close() {
            synchronized (MemoryCluster.this) {
                closed = true;
                if (connected) {
                    heldQueue = null;
                    heldProcessor = null;
                    nodes.remove(this);
                    change();
                }
            }
        }

        private boolean isQueueNew() {
            return isQueueAsked
                    && queue != null
                    && !queue.equals(heldQueue)
                    && refusedFor().isEmpty()
                    && (hasQueueJoined || !queue.leaving())
                    && !isRemoved()
                    && !isJournalRefused();
        }

        /** Returns whether the cluster refuses the journal of this queue node. */
        public boolean isJournalRefused() {
            synchronized (MemoryCluster.this) {
                return queue != null && heldQueue == null && refusedFor().isEmpty() && store.isRefused(queue, truth());
            }
        }

        /** Returns whether an operator has removed this queue node, which then must not return with its journal. */
        private boolean isRemoved() {
            return heldQueue == null
                    && !truth().roster().groups().containsKey(queue.id())
                    && queue.wasRegisteredIn(truth());
        }

        private boolean isProcessorNew() {
            return isProcessorAsked
                    && processor != null
                    && !processor.equals(heldProcessor)
                    && refusedFor().isEmpty();
        }

        @Override
        boolean hasWrites() {
            return !closed && (!commits.isEmpty() || isQueueNew() || isProcessorNew());
        }

        @Override
        void write() {
            if (!isReachable() || closed) {
                return;
            }
            if (isQueueNew()) {
                announceQueue();
            }
            if (isProcessorNew()) {
                heldProcessor = processor;
                isProcessorAsked = false;
                revision++;
            }
            commits.forEach(Runnable::run);
            commits.clear();
        }

        private void announceQueue() {
            boolean isHeld = heldQueue != null;
            heldQueue = queue;
            hasQueueJoined = true;
            isQueueAsked = false;
            if (!queue.leaving() && isHeld) {
                store.update(queue);
            } else if (!queue.leaving()) {
                store.register(queue);
            }
            revision++;
        }

        /** A node reads its own commits and the verified cycles, as with ZooKeeper. */
        @Override
        ClusterView scoped(ClusterView state) {
            tried.removeIf(shard -> state.isOver(shard.cycle()));
            return store.scoped(state, tried);
        }

        @Override
        void seen() {}

        private <M> Optional<M> holderOf(M self, Function<Node, M> member, Function<M, String> id) {
            return nodes.stream()
                    .filter(other -> other != this)
                    .map(member)
                    .flatMap(Stream::ofNullable)
                    .filter(other -> self != null && id.apply(other).equals(id.apply(self)))
                    .findFirst();
        }
    }

    /** Connection of a coordinator. The leadership survives a broken connection until the session expires. */
    public final class Lead extends MemoryLink implements CycleStore {
        private volatile long believed;
        private long term;
        private boolean leading;
        private boolean electable = true;
        private boolean replyLost;

        private Lead() {
            super(MemoryCluster.this);
        }

        @Override
        public long epoch() {
            return believed;
        }

        @Override
        public boolean begin(Cycle cycle, Assignment assignment) {
            return write(cycle.epoch(), () -> store.begin(cycle, assignment));
        }

        @Override
        public boolean assign(long cycle, Assignment next) {
            return write(believed, () -> store.assign(cycle, next));
        }

        @Override
        public boolean verify(long cycle, LowMark.Totals accounts) {
            return write(believed, () -> store.verify(cycle, accounts));
        }

        @Override
        public boolean reopen(long cycle, Assignment next) {
            return write(believed, () -> store.reopen(cycle, next));
        }

        @Override
        public boolean advance(LowMark mark) {
            return write(believed, () -> store.advance(mark));
        }

        @Override
        public boolean advanceReplay(ReplayMark mark, Optional<ReplayRequest> request) {
            return write(believed, () -> store.advanceReplay(mark, request));
        }

        @Override
        public boolean forgetReplay(String request) {
            return write(believed, () -> {
                store.withdraw(request);
                return true;
            });
        }

        /**
         * Expires the session, so another coordinator leads. In the stepped mode this coordinator learns of the loss at
         * the next step.
         */
        @Override
        public void expire() {
            synchronized (MemoryCluster.this) {
                electable = false;
                leading = false;
                if (closed) {
                    leads.remove(this);
                }
                revision++;
                settle();
            }
        }

        /** Raises the epoch like a newly elected coordinator, without this coordinator's knowledge. */
        public void overtake() {
            synchronized (MemoryCluster.this) {
                epoch++;
            }
        }

        /** Breaks the connection between the next write and its reply. */
        public void loseNextReply() {
            synchronized (MemoryCluster.this) {
                replyLost = true;
            }
        }

        @Override
        public void close() {
            synchronized (MemoryCluster.this) {
                leads.remove(this);
                believed = 0;
                settle();
            }
        }

        @Override
        boolean hasWrites() {
            return !electable;
        }

        @Override
        ClusterView scoped(ClusterView state) {
            return state;
        }

        /** Rejoins the election as the last candidate after the expiry of the session. */
        @Override
        void write() {
            electable = true;
            leads.remove(this);
            leads.add(this);
        }

        @Override
        void seen() {
            believed = connected && leading ? term : 0;
        }

        private boolean write(long ofEpoch, BooleanSupplier change) {
            synchronized (MemoryCluster.this) {
                if (!isReachable() || believed == 0 || ofEpoch != believed) {
                    return false;
                }
                if (believed != epoch) {
                    leading = false; // leads again only if elected again
                    believed = 0;
                    settle();
                    return false;
                }
                boolean stands = change.getAsBoolean();
                if (stands) {
                    change();
                }
                boolean heard = !replyLost;
                replyLost = false;
                return stands && heard;
            }
        }
    }
}
