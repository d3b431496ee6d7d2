package io.chimera.faults.sim.world;

import io.chimera.common.agent.ManualClock;
import io.chimera.testkit.channel.MemoryNetwork;
import io.chimera.testkit.channel.MemoryTransport;
import io.chimera.testkit.cluster.MemoryCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.Agent;

/**
 * Chooses the next event, one after the other, on a single thread. Idle agents are skipped until an event of their
 * process or a time jump. When all agents are idle, time jumps in growing steps, up to the next planned action.
 */
public final class Scheduler {
    private static final long JUMP_NS_MIN = 1_000_000;
    private static final long JUMP_NS_MAX = 64_000_000;

    private final ManualClock clock;
    private final Timetable timetable;
    private final MemoryNetwork network;
    private final MemoryCluster cluster;
    private final SplittableRandom random;
    private final Trace trace;
    private final int eventNsMax;
    private final int networkWeight;
    private final int clusterWeight;
    private final List<Actor> actors = new ArrayList<>();
    private final List<Actor> awake = new ArrayList<>();
    private boolean isNetworkIdle;
    private boolean isClusterIdle;
    private long jumpNs = JUMP_NS_MIN;
    private long events;

    /** An agent of a member of a process. */
    private static final class Actor {
        private final SimProcess process;
        private final SimMember member;
        private final Agent agent;
        private boolean isAwake;

        Actor(SimProcess process, SimMember member, Agent agent) {
            this.process = process;
            this.member = member;
            this.agent = agent;
        }
    }

    public Scheduler(
            ManualClock clock,
            Timetable timetable,
            MemoryNetwork network,
            MemoryCluster cluster,
            Swarm swarm,
            Trace trace) {
        this.clock = clock;
        this.timetable = timetable;
        this.network = network;
        this.cluster = cluster;
        this.trace = trace;
        random = timetable.random();
        eventNsMax = swarm.eventNsMax();
        networkWeight = swarm.networkWeight();
        clusterWeight = swarm.clusterWeight();
    }

    void add(SimProcess process) {
        for (SimMember member : process.members()) {
            member.agents().forEach(agent -> actors.add(new Actor(process, member, agent)));
            if (member.listeners() != null) {
                actors.add(new Actor(process, member, member.listeners()));
            }
            wake(member);
        }
    }

    void remove(SimProcess process) {
        actors.removeIf(actor -> actor.process == process);
        awake.removeIf(actor -> actor.process == process);
    }

    /** Wakes all agents of a member after an event. */
    @SuppressWarnings("ReferenceEquality") // a member is one object
    public void wake(SimMember member) {
        jumpNs = JUMP_NS_MIN;
        for (Actor actor : actors) {
            if (actor.member == member) {
                wake(actor);
            }
        }
    }

    private void wake(Actor actor) {
        if (!actor.isAwake && !actor.process.isPaused()) {
            actor.isAwake = true;
            awake.add(actor);
        }
    }

    /** Returns the number of events so far. */
    public long events() {
        return events;
    }

    /** Runs an event; true when time jumped because all agents were idle. */
    public boolean step() {
        if (timetable.run()) {
            isNetworkIdle = false;
            isClusterIdle = false;
            wakeAll();
        }
        int weight = awake.size() + (isNetworkIdle ? 0 : networkWeight) + (isClusterIdle ? 0 : clusterWeight);
        if (weight == 0) {
            jump();
            return true;
        }
        events++;
        clock.advanceNs(random.nextInt(eventNsMax));
        int chosen = random.nextInt(weight);
        if (chosen < awake.size()) {
            work(chosen);
        } else if (!isNetworkIdle && chosen < awake.size() + networkWeight) {
            moveNetwork();
        } else {
            moveCluster();
        }
        return false;
    }

    private void work(int index) {
        Actor actor = awake.get(index);
        if (actor.process.isPaused()) {
            sleep(index);
            return;
        }
        isNetworkIdle = false;
        isClusterIdle = false;
        if (workOf(actor) == 0) {
            sleep(index);
        } else {
            trace.event(timetable.nowNs(), actor.member.id(), actor.agent.roleName());
            wake(actor.member);
        }
    }

    private static int workOf(Actor actor) {
        try {
            return actor.agent.doWork();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void sleep(int index) {
        awake.get(index).isAwake = false;
        Actor last = awake.remove(awake.size() - 1);
        if (index < awake.size()) {
            awake.set(index, last);
        }
    }

    private void moveNetwork() {
        MemoryTransport moved = network.stepAt(random::nextInt);
        isNetworkIdle = moved == null;
        if (moved != null) {
            trace.event(timetable.nowNs(), moved.node(), "arrival");
            actors.stream().filter(actor -> actor.member.transport() == moved).forEach(this::wakeSoon);
        }
    }

    private void moveCluster() {
        MemoryCluster.Client moved = cluster.step(random::nextInt);
        isClusterIdle = moved == null;
        if (moved != null) {
            for (Actor actor : actors) {
                if (actor.member.client() == moved) {
                    wakeSoon(actor);
                }
            }
        }
    }

    private void wakeSoon(Actor actor) {
        jumpNs = JUMP_NS_MIN;
        wake(actor);
    }

    private void jump() {
        clock.advanceNs(Math.max(0, Math.min(jumpNs, timetable.untilNextNs())));
        jumpNs = Math.min(2 * jumpNs, JUMP_NS_MAX);
        wakeAll();
    }

    private void wakeAll() {
        actors.forEach(this::wake);
    }
}
