package io.chimera.bench.archive.index;

import java.util.SplittableRandom;

/**
 * Synthetic traffic like the paper's (Hyperion 2007, 7.4): short-lived flows between 2.5e6 addresses, with most packets
 * in a few flows. The skew follows figure 13: half of 4,500 consecutive addresses are distinct. Identical in every run.
 */
final class PaperTraffic {
    private static final int ADDRESSES = 2_500_000;
    private static final int ADDRESS_STEP = 0x61C8_8647; // odd, so that all addresses are distinct
    private static final int FLOWS = 20_000;
    /** Mean number of packets between two new flows. */
    private static final int FLOW_PACKETS = 20;

    private final SplittableRandom random = new SplittableRandom(2);
    private final int[] flows = new int[FLOWS];
    private final int[] clients = new int[FLOWS];
    private final int[] servers = new int[FLOWS];
    private int begun;

    PaperTraffic() {
        for (int slot = 0; slot < FLOWS; slot++) {
            begin(slot);
        }
    }

    private void begin(int slot) {
        flows[slot] = begun++;
        clients[slot] = address();
        servers[slot] = address();
    }

    private int address() {
        double share = random.nextDouble();
        return ((int) (ADDRESSES * share * share)) * ADDRESS_STEP;
    }

    /** Returns an address that no packet has. */
    static int stranger(int i) {
        return (ADDRESSES + i) * ADDRESS_STEP;
    }

    /** Adds the next packet. */
    void next(PacketTuples into) {
        double share = random.nextDouble();
        double square = share * share;
        int slot = (int) (FLOWS * square * square * square * square);
        if (random.nextInt(FLOW_PACKETS) == 0) {
            begin(slot);
        }
        into.add(flows[slot], clients[slot], servers[slot], random.nextBoolean());
    }
}
