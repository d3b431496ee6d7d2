package io.chimera.faults.sim.oracle;

import io.chimera.common.cluster.OpenCycle;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Owners of parts by cycle, in all versions of the assignments; and the sessions with forged frames of parts. */
public final class OwnerHistory {
    private record Owner(int part, long session) {}

    private final Map<Long, Set<Owner>> owners = new HashMap<>();
    private final Map<Long, Set<Owner>> forged = new HashMap<>();
    private boolean isTainted;

    /** Returns whether a session owned a part in any version of the assignment. */
    public boolean everOwned(long cycle, int part, long session) {
        return owners.getOrDefault(cycle, Set.of()).contains(new Owner(part, session));
    }

    /** Records a forged frame for a part in the name of a session that does not own the part. */
    public void forged(long cycle, int part, long session) {
        forged.computeIfAbsent(cycle, key -> new HashSet<>()).add(new Owner(part, session));
    }

    /** Returns whether a session became the owner of a part with a forged frame in its name. */
    public boolean isTainted() {
        return isTainted;
    }

    /** Records the owners of the parts of a cycle. */
    void add(OpenCycle open) {
        Set<Owner> known = owners.computeIfAbsent(open.cycle().number(), key -> new HashSet<>());
        for (int part = 0; part < open.assignment().owners().size(); part++) {
            Owner owner = new Owner(part, open.assignment().owners().get(part));
            known.add(owner);
            isTainted |= forged.getOrDefault(open.cycle().number(), Set.of()).contains(owner);
        }
    }
}
