package io.chimera.coordinator.conductor;

import io.chimera.common.agent.Clock;
import io.chimera.common.agent.Wakeup;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.cluster.ProcessorMember;
import io.chimera.common.cluster.QueueMember;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.watch.ClusterEvent;
import io.chimera.coordinator.watch.ClusterEventLog;
import io.chimera.coordinator.watch.LostHistory;
import io.chimera.coordinator.watch.Standstill;
import io.chimera.coordinator.watch.StandstillWatch;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import org.agrona.concurrent.Agent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides the content and the assignment of cycles while this coordinator leads: begins cycles, reassigns work of nodes
 * that are gone, unreachable or far behind, and verifies committed cycles (rules 1, 5, 6 and 9 of docs/protocol.md;
 * replaces the "advertise" message of the paper, Chimera 2017, III-C4). The conductor keeps no state that a successor
 * needs: each step follows from the newest view, and the store checks each write. A {@link Term} has the rules and
 * their observations; this class begins and ends terms, and publishes the status.
 *
 * <pre>
 * state      event                                     to
 * FOLLOWING  the store has an epoch, connected         LEADING, with a new term
 * LEADING    the store has another epoch               LEADING, with a new term
 * LEADING    the store has no epoch, or not connected  FOLLOWING
 * </pre>
 *
 * <p>Runs on its own thread; status and operators' requests any thread.
 */
public final class Conductor implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger(Conductor.class);

    private final ConductorEnvironment environment;
    private final ConductorMemory memory;
    private final LostHistory lostHistory;

    /** The current term; empty while another coordinator leads, or without a connection. */
    private Optional<Term> term = Optional.empty();

    /** Watch of a time without a connection; empty while connected. */
    private Optional<StandstillWatch> outage = Optional.empty();

    private long lastEpoch;
    private volatile String clockProblem = "";
    private volatile Duration period = Duration.ZERO;
    private volatile Optional<Standstill> lasting = Optional.empty();
    private volatile ConductorStatus status = ConductorStatus.FOLLOWING;

    /**
     * Creates a conductor that follows.
     *
     * @param store stores cycles and assignments
     * @param clock of this machine; source of cycle times while it is plausible
     * @param settings settings of the conductor
     * @param counters of this coordinator
     */
    public Conductor(CycleStore store, Clock clock, ConductorSettings settings, Counters<CoordinatorCounter> counters) {
        this(store, clock, settings, counters, new ClusterEventLog());
    }

    /** Creates a conductor whose events go to a listener instead of the log. */
    Conductor(
            CycleStore store,
            Clock clock,
            ConductorSettings settings,
            Counters<CoordinatorCounter> counters,
            Consumer<ClusterEvent> events) {
        environment = new ConductorEnvironment(store, clock, settings, counters, events, new Wakeup());
        memory = new ConductorMemory(settings.digest(), counters);
        lostHistory = new LostHistory(settings.tolerances().grace().toNanos());
    }

    /** Returns why cycle times do not follow the clock of this machine; empty when they do. Any thread. */
    public String clockProblem() {
        return clockProblem;
    }

    /** Returns the period of new cycles; 0 while this conductor does not lead. Any thread. */
    public Duration period() {
        return period;
    }

    /** Returns the lasting standstill; empty when cycles begin and end. Any thread. */
    public Optional<Standstill> standstill() {
        return lasting;
    }

    /** Returns the current status. Any thread. */
    public ConductorStatus status() {
        return status;
    }

    /**
     * Sets the configuration of this coordinator after a reload. Cycles begin with this configuration when all members
     * have loaded the configuration. Any thread.
     *
     * @param digest digest that members with the same configuration announce
     */
    public void want(ConfigurationDigest digest) {
        memory.want(digest);
        wakeup().wake();
    }

    /** Returns the configuration digest of this coordinator. Any thread. */
    public ConfigurationDigest wanted() {
        return memory.wanted();
    }

    /**
     * Accepts an operator's decision about a cycle with unaccounted points. A decision is lost, and must be repeated,
     * when another coordinator leads before the decision is carried out. Any thread.
     */
    public void decide(long cycle, AccountDecision decision) {
        memory.decisions().decide(cycle, decision);
        wakeup().wake();
    }

    /**
     * Returns why the tree must be recovered before any cycle can begin, with the command; empty when the tree is
     * current. Any thread.
     */
    public String recovery() {
        return lostHistory.recovery();
    }

    /** Returns the wakeup to signal when the view changes. */
    public Wakeup wakeup() {
        return environment.wakeup();
    }

    @Override
    public String roleName() {
        return "conductor";
    }

    @Override
    public int doWork() {
        long epoch = environment.store().epoch();
        ClusterView view = environment.store().view();
        long nowNs = environment.clock().nanoTime();
        boolean isLost = view.connected() && lostHistory.isLost(view, nowNs);
        if (epoch == 0 || !view.connected()) {
            follow(view, nowNs);
            return 0;
        }
        Term current = term.filter(known -> known.epoch() == epoch).orElseGet(() -> lead(view, epoch, nowNs));
        int writes = 0;
        if (isLost) {
            current.awaitRecovery(view, recovery(), nowNs);
        } else {
            writes = current.doWork(view, nowNs);
        }
        clockProblem = current.clockProblem();
        period = current.period();
        publish(epoch, current.waiting(), current.lasting());
        return writes;
    }

    private void follow(ClusterView view, long nowNs) {
        term.ifPresent(ended ->
                LOG.info("This coordinator no longer leads, or lost its connection: epoch={}.", ended.epoch()));
        term = Optional.empty();
        clockProblem = "";
        period = Duration.ZERO;
        if (view.connected()) {
            outage = Optional.empty();
            publish(0, Optional.empty(), Optional.empty());
        } else {
            StandstillWatch watch = outage.orElseGet(() -> standstillWatch(environment, memory));
            outage = Optional.of(watch);
            publish(0, watch.look(view, nowNs), watch.lasting());
        }
    }

    private Term lead(ClusterView view, long epoch, long nowNs) {
        if (epoch != lastEpoch) {
            LOG.info(
                    "This coordinator leads: epoch={} queue_nodes={} processors={} open_cycles={}.",
                    epoch,
                    view.queues().stream().map(QueueMember::id).toList(),
                    view.processors().stream().map(ProcessorMember::id).toList(),
                    view.cycles().keySet());
            environment.counters().increment(CoordinatorCounter.ELECTIONS);
            lastEpoch = epoch;
        }
        outage = Optional.empty();
        Term begun = new Term(epoch, environment, memory, nowNs);
        term = Optional.of(begun);
        return begun;
    }

    /** Creates a watch without observations, with the names of nodes known to the coordinator. */
    static StandstillWatch standstillWatch(ConductorEnvironment environment, ConductorMemory memory) {
        return new StandstillWatch(
                environment.clock(),
                environment.settings().every().most(),
                session -> memory.members().name(session, "queue").id(),
                session -> memory.members().name(session, "processor").id(),
                environment.events());
    }

    private void publish(long epoch, Optional<Standstill> waiting, Optional<Standstill> lastingNow) {
        lasting = lastingNow;
        ConductorStatus now =
                new ConductorStatus(epoch, waiting, memory.committed().list());
        if (!now.equals(status)) {
            status = now;
        }
    }
}
