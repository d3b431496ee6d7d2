package io.chimera.faults.sim.world;

import java.util.List;
import java.util.Optional;

/**
 * A running process: its members share a machine with a clock, and a session with ZooKeeper. A queue node or processor
 * has one member per lane.
 */
public final class SimProcess {
    public enum Role {
        QUEUE,
        PROCESSOR,
        COORDINATOR
    }

    private final String id;
    private final Role role;
    private final List<SimMember> members;
    private final SimSession session;
    private final SimClock clock;
    private boolean isPaused;
    private boolean isDead;

    /**
     * Creates a running process.
     *
     * @param id the process's name, which is also the name of its machine
     * @param role role of the process
     * @param members its lanes
     * @param session its connection with ZooKeeper
     * @param clock of its machine
     */
    SimProcess(String id, Role role, List<SimMember> members, SimSession session, SimClock clock) {
        this.id = id;
        this.role = role;
        this.members = List.copyOf(members);
        this.session = session;
        this.clock = clock;
    }

    public String id() {
        return id;
    }

    public Role role() {
        return role;
    }

    /** Returns the lanes. */
    public List<SimMember> members() {
        return members;
    }

    /** Returns whether the process has connections with nodes. */
    public boolean hasTransport() {
        return role != Role.COORDINATOR;
    }

    /** Asks all members to leave. */
    public void leave() {
        members.forEach(member -> member.node().leave());
    }

    /** Returns the reason why the drain of a member has not finished; empty once the process may stop. */
    public Optional<String> awaits() {
        return members.stream()
                .flatMap(member -> member.node().awaits().stream())
                .findFirst();
    }

    /** Returns whether the disks of all members may be removed with the process. */
    public boolean isRemovable() {
        return members.stream().allMatch(member -> member.node().isRemovable());
    }

    /** Loads a configuration, unless the process is dead. */
    void reload(boolean isOther) {
        if (!isDead) {
            members.forEach(member -> member.reload().with(isOther));
        }
    }

    public SimSession session() {
        return session;
    }

    public SimClock clock() {
        return clock;
    }

    public boolean isPaused() {
        return isPaused;
    }

    public void paused(boolean paused) {
        isPaused = paused;
    }

    public boolean isDead() {
        return isDead;
    }

    void died() {
        isDead = true;
    }

    @Override
    public String toString() {
        return id;
    }
}
