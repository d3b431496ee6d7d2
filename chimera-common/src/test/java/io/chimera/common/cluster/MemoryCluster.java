package io.chimera.common.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The coordinator's store in memory, with the versions and fences of the real one: one object that all nodes of a
 * simulation share. Nothing happens by itself and nothing by chance: sessions expire and connections break when a test
 * says so, and views arrive at once or, in the stepped kind, when it calls {@link #step()}, or one after the other with
 * {@link #step(IntUnaryOperator)}. Any thread.
 */
public final class MemoryCluster {
    private final boolean stepped;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Lead> leads = new ArrayList<>();
    private UnaryOperator<ShardCommit> miscount = commit -> commit;
    private final MemoryStore store = new MemoryStore();
    private long epoch;
    private long revision;
    private ClusterView truth;

    /** Whoever is connected: a {@link Node} or a {@link Lead}. */
    public interface Client {
        /** What it sees. */
        ClusterView view();

        /** Lets nothing through, either way, without this one noticing; or lets things through again. */
        void hang(boolean hangs);

        /** Breaks the connection; the session lives on until it is made to expire. */
        void disconnect();

        /** Mends the connection, with a new session where the old one expired. */
        void reconnect();

        /** Expires the session. */
        void expire();

        /** Ends the process that holds the connection; its session lives on until it is made to expire. */
        void die();
    }

    private MemoryCluster(boolean stepped) {
        this.stepped = stepped;
    }

    /** A store whose changes everybody sees at once. */
    public static MemoryCluster immediate() {
        return new MemoryCluster(false);
    }

    /** A store whose changes are seen after {@link #step()}; announcements and commits too take effect there. */
    public static MemoryCluster stepped() {
        return new MemoryCluster(true);
    }

    /** Connects another node. */
    public synchronized Node join() {
        Node node = new Node();
        nodes.add(node);
        settle();
        return node;
    }

    /** Connects another coordinator. The first one leads; when its session expires, the one that joined next. */
    public synchronized Lead lead() {
        Lead lead = new Lead();
        leads.add(lead);
        settle();
        return lead;
    }

    /** Lets what was asked for take effect, in the order in which the nodes joined, then shows everybody the result. */
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
     * Lets one thing happen, chosen by the caller: what one node asked for takes effect, or one sees what stands, at
     * times the members or the cycles alone, for the real one reads one znode after the other.
     *
     * @param choose given a number of things, returns the index of one
     * @return the node or coordinator to which it happened; null when there is nothing to do
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
            link.sight.look(truth(), part != 0, part != 1);
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

    /** Takes a queue node out of the group, as an operator does when it will not come back. */
    public synchronized void unregister(String id) {
        store.unregister(id);
        change();
    }

    /** Asks for a replay, as an operator does. */
    public synchronized void requestReplay(ReplayRequest request) {
        store.request(request);
        change();
    }

    /** Withdraws a request for a replay, as an operator does. */
    public synchronized void withdrawReplay(String id) {
        store.withdraw(id);
        change();
    }

    /**
     * Loses everything, as ZooKeeper does with its disk: a new tree stands and knows no session. Clients are to be made to expire.
     *
     * @param history name of the new tree's cycles
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

    /** Puts back what an operator recovered. */
    public synchronized void recover(ControlState state) {
        store.recover(state);
        epoch = Math.max(epoch, state.epoch()) + 1;
        change();
    }

    /** Cycles that are noted as verified and not forgotten yet. */
    public synchronized SortedMap<Long, LowMark.Totals> verified() {
        return store.verified();
    }

    /** What stands at this moment. */
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

    /** Epoch of the newest lead: what a write of the conductor is checked against. */
    public synchronized long epoch() {
        return epoch;
    }

    long revision() {
        return revision;
    }

    /** Something stands otherwise than before, which is shown with the next step. */
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
                link.sight.look(truth(), true, true);
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

    /** Changes the accounts of commits from now on, as a defect of a processor would. */
    public synchronized void miscount(UnaryOperator<ShardCommit> how) {
        miscount = how;
    }

    /** A node's connection. What is asked for while it is broken takes effect when it is back. */
    public final class Node extends MemoryLink implements Cluster {
        private final List<Runnable> commits = new ArrayList<>();
        private QueueMember queue;
        private ProcessorMember processor;
        private QueueMember heldQueue;
        private ProcessorMember heldProcessor;
        private boolean isQueueAsked;
        private boolean isProcessorAsked;

        private Node() {
            super(MemoryCluster.this);
        }

        /** Nobody sleeps here: agents are driven by hand. */
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
                commits.add(() -> note(store.commit(written, assignmentVersion)));
                settle();
            }
        }

        /** Who holds this node's id, so that its own announcement waits. */
        public Optional<Long> refusedFor() {
            synchronized (MemoryCluster.this) {
                return holderOf(queue, node -> node.heldQueue, QueueMember::id)
                        .map(QueueMember::session)
                        .or(() -> holderOf(processor, node -> node.heldProcessor, ProcessorMember::id)
                                .map(ProcessorMember::session));
            }
        }

        /** Expires the session. A node that is connected announces itself again at the next step. */
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
                    && refusedFor().isEmpty();
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
                heldQueue = queue;
                isQueueAsked = false;
                if (!queue.leaving()) {
                    store.register(queue.id());
                }
                revision++;
            }
            if (isProcessorNew()) {
                heldProcessor = processor;
                isProcessorAsked = false;
                revision++;
            }
            commits.forEach(Runnable::run);
            commits.clear();
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

    /** A coordinator's connection. The lead lives on when it breaks, until the session expires. */
    public final class Lead extends MemoryLink implements Conductorship {
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

        /** Expires the session: another coordinator leads. In the stepped kind this one hears of it at the next step. */
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

        /** Raises the epoch as a coordinator does that takes the lead; this one does not hear of it. */
        public void overtake() {
            synchronized (MemoryCluster.this) {
                epoch++;
            }
        }

        /** The next write takes effect, but the connection breaks before this coordinator hears so. */
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

        /** Queues up for the lead again, after its session expired, as the last in the row. */
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
                    leading = false; // takes the lead anew, if nobody else has it
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
