package io.chimera.coordinator;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.Conductorship;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.EmbeddedZooKeeper;
import io.chimera.coordinator.zookeeper.ServerWatch;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import io.chimera.coordinator.zookeeper.ZooKeeperSettings;
import java.util.Optional;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;

/**
 * A coordinator: a ZooKeeper server if it is to run one, the connection to the cluster, and the conductor, which works
 * while this coordinator leads. Any thread.
 */
public final class CoordinatorNode implements AutoCloseable {
    private final CoordinatorSettings settings;
    private final Counters<CoordinatorCounter> counters = new Counters<>(CoordinatorCounter.class);
    private final Counters<ClusterCounter> clusterCounters = new Counters<>(ClusterCounter.class);
    private final EmbeddedZooKeeper server;
    private final ServerWatch serverWatch;
    private final ZooKeeperSession session;
    private final Conductorship conductorship;
    private final Conductor conductor;
    private final AgentThreads threads;

    /**
     * Starts the server, if there is to be one, and waits until it answers; the rest connects by itself.
     *
     * @param settings what it is made of
     * @param clock gives cycles their times
     * @param errors is told what the operator must know; what is FATAL ends the node
     */
    public CoordinatorNode(CoordinatorSettings settings, Clock clock, ErrorHandler errors) {
        this.settings = settings;
        server = settings.embedded()
                .map(embedded -> new EmbeddedZooKeeper(
                        embedded.directory(),
                        embedded.address(),
                        settings.zooKeeper().tls().filter(tls -> tls.config().hasCertificate()),
                        embedded.access()))
                .orElse(null);
        serverWatch = server == null
                ? null
                : new ServerWatch(
                        server, settings.embedded().orElseThrow().directory().toString(), clock);
        session = new ZooKeeperSession(zooKeeper(), settings.id(), clock, clusterCounters, errors);
        conductorship = session.conductorship(settings.id());
        conductor = new Conductor(conductorship, clock, settings.conductor(), counters);
        threads = new AgentThreads(settings.id(), errors);
        session.onView(conductor.wakeup()::wake);
        threads.startControl(conductor, conductor.wakeup());
        if (serverWatch != null) {
            threads.startControl(serverWatch, serverWatch.wakeup());
        }
    }

    /** Where the cluster is kept, with the embedded server's port as it is. */
    public ZooKeeperSettings zooKeeper() {
        boolean chosen =
                server != null && settings.embedded().orElseThrow().address().port() == 0;
        return chosen ? settings.zooKeeper().at(server.address().toString()) : settings.zooKeeper();
    }

    /** The newest view of the cluster. */
    public ClusterView view() {
        return session.view();
    }

    /** The cluster and what this coordinator does, for the console and {@code cluster status}. */
    public ClusterStatus status() {
        return ClusterStatus.of(settings, session, conductor.status(), conductor.wanted());
    }

    /**
     * This coordinator has other pipelines from now on; cycles begin with them when all members have them, too.
     *
     * @param digest what members announce that have the same
     */
    public void want(String digest) {
        conductor.want(digest);
    }

    /** Live members that lack the pipelines that this coordinator wants; 0 when these are in force. */
    public int changeWaitsFor() {
        String wanted = conductor.wanted();
        String inForce = view().lastDigest();
        return inForce.isEmpty() || inForce.equals(wanted)
                ? 0
                : Changeover.lacking(view(), wanted).size();
    }

    /** Whether this coordinator leads. */
    public boolean isLeading() {
        return conductorship.epoch() > 0;
    }

    /** Why it does not do its work, in words for the operator; empty when it does. */
    public Optional<String> problem() {
        Optional<String> stopped = serverWatch == null ? Optional.empty() : serverWatch.problem();
        if (stopped.isPresent()) {
            return stopped;
        }
        return session.problem()
                .or(() -> Optional.of(conductor.recovery() + ".").filter(text -> text.length() > 1))
                .or(() -> CycleAccounts.problem(view()));
    }

    /** Cycles above the low-water mark whose accounts do not add up. */
    public int unaccountedCycles() {
        return CycleAccounts.unaccounted(view());
    }

    /**
     * Shows the accounts of an open cycle, and carries out a decision about one that does not add up.
     *
     * @return the accounts and what was done, as text
     * @throws io.chimera.common.error.ChimeraException when there is nothing to decide, or another coordinator leads
     */
    public String account(long cycle, AccountDecision decision) {
        ClusterView view = view();
        String accounts = CycleAccounts.text(view, cycle)
                .orElseThrow(() -> new ChimeraException(
                        Category.ERROR,
                        "Cycle " + cycle + " is not open; the low-water mark is "
                                + view.low().cycle() + ". chimera cluster status lists the open cycles."));
        if (decision == AccountDecision.NONE) {
            return accounts
                    + System.lineSeparator()
                    + "Nothing was changed. --replay processes the cycle again from the journals, --accept raises the"
                    + " low-water mark over it.";
        }
        if (!isLeading()) {
            throw new ChimeraException(
                    Category.ERROR,
                    "This coordinator does not lead, " + session.conductor()
                            + " does; name that one with --http host:port.");
        }
        boolean isUnaccounted = CycleAccounts.of(view, view.cycles().get(cycle))
                .filter(totals -> totals.unaccounted() != 0)
                .isPresent();
        if (!isUnaccounted) {
            throw new ChimeraException(
                    Category.ERROR,
                    "There is nothing to decide about cycle " + cycle + ": its accounts add up so far.");
        }
        conductor.decide(cycle, decision);
        return accounts
                + System.lineSeparator()
                + (decision == AccountDecision.ACCEPT
                        ? "The low-water mark is raised over the cycle. Its unaccounted points stay in the totals of"
                                + " chimera cluster status."
                        : "The cycle is processed again. Run this command again to see its accounts.")
                + " Only this coordinator knows the decision until it is carried out: give it again if another one takes the"
                + " lead before that.";
    }

    /** Journals that are done without because queue nodes are missing. */
    public int copiesMissing() {
        return settings.conductor().copies().missing(view());
    }

    /** What the operator must know although this coordinator works; empty when all is well. */
    public Optional<String> alarm() {
        String clock = conductor.clockProblem();
        return clock.isEmpty() ? settings.conductor().copies().alarm(view()) : Optional.of(clock);
    }

    /** Why no cycle has begun or ended for some time, in a sentence; empty when cycles do. */
    public Optional<String> standstill() {
        return conductor.standstill().map(Standstill::sentence);
    }

    /**
     * Takes a queue node that does not live out of the group: its journal is not waited for any more.
     *
     * @param id its name
     * @param isLost whether to do so although points may be lost with it
     * @return what was done, in a sentence
     * @throws io.chimera.common.error.ChimeraException when it is refused; says why and what to do
     */
    public String remove(String id, boolean isLost) {
        return new Removal(session, settings.conductor().copies()).remove(id, isLost);
    }

    /** What the conductor counts. */
    public Counters<CoordinatorCounter> counters() {
        return counters;
    }

    /** What the connection to ZooKeeper counts. */
    public Counters<ClusterCounter> clusterCounters() {
        return clusterCounters;
    }

    /** Gives up the lead first, so that another coordinator need not wait for the session to expire. */
    @Override
    public void close() {
        CloseHelper.quietCloseAll(threads, conductorship, session, server);
    }
}
