package io.chimera.api.kit;

import io.chimera.api.spi.Outlet;
import io.chimera.api.spi.PointBuilder;
import java.util.ArrayList;
import java.util.List;

/** Records the emitted points of a block as comparable texts: {@code <gate>: <point>}. */
public final class KitOutlet implements Outlet {
    private final List<String> emitted = new ArrayList<>();
    private final int gates;
    private KitPoint given;
    private long timeNs;
    private boolean isOpen;

    /**
     * Creates an outlet.
     *
     * @param gates number of gates of the block
     */
    public KitOutlet(int gates) {
        this.gates = gates;
    }

    /** Returns the emitted points so far, in order of emission. */
    public List<String> emitted() {
        return emitted;
    }

    void begin(KitPoint point, long newTimeNs) {
        given = point;
        timeNs = newTimeNs;
        isOpen = true;
    }

    void end() {
        isOpen = false;
    }

    private void check(int gate) {
        if (!isOpen) {
            throw new IllegalStateException("The outlet was used outside a call of the block.");
        }
        if (gate < 0 || gate >= gates) {
            throw new IllegalArgumentException("Unknown gate " + gate + "; the block declares " + gates + " gates.");
        }
    }

    @Override
    public void pass(int gate) {
        check(gate);
        if (given == null) {
            throw new IllegalStateException("endCycle() has no input point to pass.");
        }
        emitted.add(gate + ": " + given);
    }

    @Override
    public PointBuilder point(int gate) {
        check(gate);
        return new KitBuilder(given, timeNs, point -> {
            check(gate);
            emitted.add(gate + ": " + point);
        });
    }
}
