package io.chimera.bench.datasets.event;

/**
 * Computation of an event: selects jets by their transverse momentum, and finds the pair with the largest invariant
 * mass. Each further pass repeats the search with the jets turned by a small angle, and so takes the same time; the
 * largest mass of all passes counts. Allocates nothing. One thread.
 */
final class DijetSearch {
    /** Maximum number of jets of an event. */
    static final int JETS_MAX = 16;

    /** Values of a jet: px, py, pz and energy. */
    static final int VALUES = 4;

    /** Smallest transverse momentum of a selected jet in MeV. */
    private static final double TRANSVERSE_MIN = 25_000;

    private static final double TURN = 1e-3;

    private final double[] jets = new double[JETS_MAX * VALUES];
    private final double[] selected = new double[JETS_MAX * VALUES];
    private int count;

    /** Begins an event without jets. */
    void clear() {
        count = 0;
    }

    /** Sets a value of the next jet. */
    void set(int value, double mev) {
        jets[count * VALUES + value] = mev;
    }

    /** Completes the jet with its values set; returns false when the event has too many jets. */
    boolean add() {
        count++;
        return count < JETS_MAX;
    }

    /**
     * Returns the largest invariant mass of a pair of selected jets in GeV; 0 with fewer than two selected jets.
     *
     * @param passes number of passes, at least 1
     */
    double mass(int passes) {
        double squareMax = 0;
        for (int pass = 0; pass < passes; pass++) {
            int chosen = select(pass * TURN);
            for (int one = 0; one < chosen; one++) {
                for (int other = one + 1; other < chosen; other++) {
                    squareMax = Math.max(squareMax, square(one * VALUES, other * VALUES));
                }
            }
        }
        return Math.sqrt(squareMax) / 1_000;
    }

    private int select(double angle) {
        // a rotation around the beam by the tangent half-angle: exact in plain arithmetic, so equal on every machine
        double scale = 1 / (1 + angle * angle);
        double cos = (1 - angle * angle) * scale;
        double sin = 2 * angle * scale;
        int chosen = 0;
        for (int jet = 0; jet < count * VALUES; jet += VALUES) {
            double px = jets[jet] * cos - jets[jet + 1] * sin;
            double py = jets[jet] * sin + jets[jet + 1] * cos;
            if (px * px + py * py >= TRANSVERSE_MIN * TRANSVERSE_MIN) {
                int target = chosen * VALUES;
                selected[target] = px;
                selected[target + 1] = py;
                selected[target + 2] = jets[jet + 2];
                selected[target + 3] = jets[jet + 3];
                chosen++;
            }
        }
        return chosen;
    }

    private double square(int one, int other) {
        double px = selected[one] + selected[other];
        double py = selected[one + 1] + selected[other + 1];
        double pz = selected[one + 2] + selected[other + 2];
        double energy = selected[one + 3] + selected[other + 3];
        return energy * energy - px * px - py * py - pz * pz;
    }
}
