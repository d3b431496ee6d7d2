package io.chimera.coordinator;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.Clock;
import io.chimera.common.cluster.ClusterView;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.cluster.CycleStore;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ClusterCounter;
import io.chimera.common.metrics.CoordinatorCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.conductor.AccountDecision;
import io.chimera.coordinator.conductor.Conductor;
import io.chimera.coordinator.conductor.CycleAccounts;
import io.chimera.coordinator.plan.ConfigurationRollout;
import io.chimera.coordinator.plan.Removal;
import io.chimera.coordinator.watch.Standstill;
import io.chimera.coordinator.zookeeper.ZooKeeperSession;
import io.chimera.coordinator.zookeeper.ZooKeeperSettings;
import io.chimera.coordinator.zookeeper.server.EmbeddedZooKeeper;
import io.chimera.coordinator.zookeeper.server.ServerWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.jspecify.annotations.Nullable;

/**
 * Coordinator node: an optional embedded ZooKeeper server, the session of the cluster, and the conductor, which works
 * while this coordinator leads. Any thread.
 */
public final class CoordinatorNode implements AutoCloseable {
    private final CoordinatorSettings settings;
    private final Counters<CoordinatorCounter> counters = new Counters<>(CoordinatorCounter.class);
    private final Counters<ClusterCounter> clusterCounters = new Counters<>(ClusterCounter.class);
    private final @Nullable EmbeddedZooKeeper server;
    private final @Nullable ServerWatch serverWatch;
    private final ZooKeeperSession session;
    private final CycleStore conductorship;
    private final Conductor conductor;
    private final AgentThreads threads;

    /**
     * Starts the embedded server, if configured, and waits until the server answers. The session connects in the
     * background.
     *
     * @param settings settings of the node
     * @param clock source of cycle times
     * @param errors receives errors for the operator; a FATAL error ends the node
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

    /** Returns the ZooKeeper settings, with the actual port of the embedded server. */
    public ZooKeeperSettings zooKeeper() {
        return server != null && settings.embedded().orElseThrow().address().port() == 0
                ? settings.zooKeeper().at(server.address().toString())
                : settings.zooKeeper();
    }

    /** Returns the newest view of the cluster. */
    public ClusterView view() {
        return session.view();
    }

    /** Returns the status of the cluster and of this coordinator, for the console and {@code cluster status}. */
    public ClusterStatus status() {
        return ClusterStatus.of(settings, session, conductor.status(), conductor.wanted());
    }

    /**
     * Sets the configuration of this coordinator after a reload. Cycles begin with this configuration when all members
     * have loaded the configuration.
     *
     * @param digest digest that members with the same configuration announce
     */
    public void want(ConfigurationDigest digest) {
        conductor.want(digest);
    }

    /**
     * Returns the number of live members without this coordinator's configuration; 0 when the configuration is in
     * force.
     */
    public int changeWaitsFor() {
        ConfigurationDigest wanted = conductor.wanted();
        ConfigurationDigest inForce = view().lastDigest();
        return inForce.isEmpty() || inForce.equals(wanted)
                ? 0
                : ConfigurationRollout.lacking(view(), wanted).size();
    }

    /** Returns whether this coordinator leads. */
    public boolean isLeading() {
        return conductorship.epoch() > 0;
    }

    /** Returns why this coordinator cannot work, for the operator; empty when there is no problem. */
    public Optional<String> problem() {
        Optional<String> stopped = serverWatch == null ? Optional.empty() : serverWatch.problem();
        if (stopped.isPresent()) {
            return stopped;
        }
        return session.problem()
                .or(() -> Optional.of(conductor.recovery() + ".").filter(text -> text.length() > 1))
                .or(() -> CycleAccounts.problem(view()));
    }

    /** Returns the number of cycles above the low-water mark with unaccounted points. */
    public int unaccountedCycles() {
        return CycleAccounts.unaccounted(view());
    }

    /**
     * Shows the accounts of an open cycle, and carries out a decision about unaccounted points.
     *
     * @return the accounts and the action as text
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
                    + " low-water mark past the cycle.";
        }
        if (!isLeading()) {
            throw new ChimeraException(
                    Category.ERROR,
                    "This coordinator does not lead, " + session.conductor()
                            + " does; name its address with --http host:port.");
        }
        boolean isUnaccounted = view.open(cycle)
                .flatMap(open -> CycleAccounts.of(view, open))
                .filter(totals -> totals.unaccounted() != 0)
                .isPresent();
        if (!isUnaccounted) {
            throw new ChimeraException(
                    Category.ERROR,
                    "There is nothing to decide about cycle " + cycle + ": it has no unaccounted points so far.");
        }
        conductor.decide(cycle, decision);
        return accounts
                + System.lineSeparator()
                + (decision == AccountDecision.ACCEPT
                        ? "The low-water mark is raised past the cycle. Its unaccounted points stay in the totals of"
                                + " chimera cluster status."
                        : "The cycle is processed again. Run this command again to see its accounts.")
                + " Only this coordinator knows the decision until it is carried out: repeat the command if another"
                + " coordinator takes the lead first.";
    }

    /** Returns the period of new cycles; 0 while this coordinator does not lead. */
    public Duration cyclePeriod() {
        return conductor.period();
    }

    /** Returns the copies that cycles do without because queue nodes are dead, in the journal group with most. */
    public int copiesMissing() {
        ClusterView view = view();
        return view.groups().stream()
                .mapToInt(group -> settings.conductor().copies().missing(view.in(group)))
                .max()
                .orElse(0);
    }

    /** Returns warnings for the operator that do not stop this coordinator, one sentence each. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>();
        standstill().ifPresent(warnings::add);
        String clock = conductor.clockProblem();
        if (!clock.isEmpty()) {
            warnings.add(clock);
        }
        warnings.addAll(GroupAlarms.of(view(), settings.conductor().copies()));
        String change = ConfigurationRollout.waiting(view(), conductor.wanted());
        if (!change.isEmpty()) {
            warnings.add("Change of pipelines: " + change + ".");
        }
        return warnings;
    }

    /** Returns the lasting standstill as a sentence; empty when cycles begin and end. */
    public Optional<String> standstill() {
        return conductor.standstill().map(Standstill::sentence);
    }

    /**
     * Removes a queue node that is not live from the group: the cluster no longer waits for its journal.
     *
     * @param id id of the queue node
     * @param isLost whether to remove the node even if points may be lost
     * @return the action, as a sentence
     * @throws io.chimera.common.error.ChimeraException when the removal is refused, with reason and remedy
     */
    public String remove(String id, boolean isLost) {
        return new Removal(
                        session::view, session::unregister, settings.conductor().copies())
                .remove(id, isLost);
    }

    /** Returns the counters of the conductor. */
    public Counters<CoordinatorCounter> counters() {
        return counters;
    }

    /** Returns the counters of the ZooKeeper session. */
    public Counters<ClusterCounter> clusterCounters() {
        return clusterCounters;
    }

    /** Gives up the lead first, so that another coordinator need not wait for the session to expire. */
    @Override
    public void close() {
        CloseHelper.quietCloseAll(threads, conductorship, session, server);
    }
}
