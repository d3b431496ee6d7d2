package io.chimera.bench.capture;

import io.chimera.bench.report.Rounding;
import io.chimera.bench.report.Work;
import io.chimera.jni.capture.Captures;
import java.io.IOException;

/** Measures packets received at an interface: Chimera compared with tcpdump and softflowd, and AF_XDP with TPACKET. */
final class LivePart {
    static final String TPACKET = "live_tpacket";
    static final String TCPDUMP = "live_tcpdump";
    static final String FLOWS = "live_flows";
    static final String SOFTFLOWD = "live_softflowd";
    static final String AF_XDP = "live_count_af_xdp";
    static final String TPACKET_COUNT = "live_count_tpacket";
    static final String CHAIN = "live_chain";
    static final String SOFTFLOWD_DROPPED = "live_softflowd_dropped_percent";
    static final String FLOWS_DROPPED = "live_flows_dropped_count";

    private static final String SOFTFLOWD_RATE = "live_softflowd_drops_at_packets_per_s";

    private static final long PACKETS = 8_000_000;
    private static final long PACKETS_QUICK = 1_000_000;

    /** Bisection steps for the lossless rate: to 3 % (quick: 6 %) of the sender's rate. */
    private static final int STEPS = 5;

    private static final int STEPS_QUICK = 4;

    /** Runs at full speed of the sender, which varies; the best run counts. */
    private static final int FREE_RUNS = 3;

    /** Packets per second below which a lossy receiver counts as broken, not slow. */
    private static final double RATE_MIN = 10_000;

    /** Share of the lower lossless rate for comparisons at equal rate, which every receiver sustains. */
    private static final double COMMON = 0.8;

    private static final long COUNT_RATE = 1_500_000;

    /** Rates around the first drops of softflowd; the last one, 0, is the sender's full speed. */
    private static final long[] SOFTFLOWD_RATES = {250_000, 500_000, 750_000, 1_000_000, 1_500_000, 2_000_000, 0};

    private static final String CHAIN_DROPPED = "live_chain_dropped_count";
    private static final long CHAIN_RATE = 1_000_000;

    /** Packets of some seconds, so that each flow yields some points. */
    private static final long CHAIN_PACKETS_MIN = 4_000_000;

    private static final double NS_PER_S = 1e9;

    private final BenchSite site;
    private final CaptureResults results;
    private final VethWire wire;
    private final long packets;
    private double sentRate;

    private LivePart(BenchSite site, CaptureResults results, VethWire wire) {
        this.site = site;
        this.results = results;
        this.wire = wire;
        packets = site.isQuick() ? PACKETS_QUICK : PACKETS;
    }

    /** Measures all possible parts, and reports the skipped parts. */
    static void measure(BenchSite site, CaptureResults results) throws InterruptedException {
        if (Runtime.getRuntime().availableProcessors() <= BenchSite.RECEIVER) {
            results.leaveOut("live", "sender and receiver need one core each");
            return;
        }
        try (VethWire wire = VethWire.open(site)) {
            LivePart live = new LivePart(site, results, wire);
            live.part(TCPDUMP, live::besideTcpdump);
            live.part(SOFTFLOWD, live::besideSoftflowd);
            live.part(AF_XDP, live::afXdp);
            live.part(CHAIN, live::chain);
        } catch (IOException e) {
            results.leaveOut("live", e.getMessage());
        }
    }

    private void part(String name, Work comparison) throws InterruptedException {
        site.log().accept(name);
        try {
            comparison.run();
        } catch (IOException e) {
            results.leaveOut(name, e.getMessage());
        }
    }

    /** Measures one receiver after another: a second socket would take core and kernel time from the first. */
    private void besideTcpdump() throws IOException, InterruptedException {
        double ownRate;
        try (OwnReceiver own = warm("tpacket", LiveJob.DUMP, false)) {
            ownRate = losslessRate(own);
        }
        ToolReceiver tcpdump = ToolReceiver.tcpdump(site, wire);
        double rate = losslessRate(tcpdump);
        long common = (long) (COMMON * Math.min(ownRate, rate));
        Received theirs = receive(tcpdump, common, false);
        try (OwnReceiver own = warm("tpacket", LiveJob.DUMP, false)) {
            results.add(
                    new PacketCost(TPACKET, packets, receive(own, common, false).cpuSeconds(), packets / ownRate));
        }
        results.add(new PacketCost(TCPDUMP, packets, theirs.cpuSeconds(), packets / rate));
    }

    /** Returns the highest lossless rate, within the precision of the steps. */
    private double losslessRate(Receiver receiver) throws IOException, InterruptedException {
        double lossless = 0;
        double lossy = 0;
        for (int i = 0; i < FREE_RUNS; i++) {
            if (receive(receiver, 0, false).isAll(packets)) {
                lossless = Math.max(lossless, sentRate);
            } else {
                lossy = Math.max(lossy, sentRate);
            }
        }
        if (lossless > 0) {
            return lossless;
        }
        for (int step = site.isQuick() ? STEPS_QUICK : STEPS; step > 0 || lossless == 0; step--) {
            boolean isAll =
                    receive(receiver, (long) ((lossless + lossy) / 2), false).isAll(packets);
            if (isAll) {
                lossless = sentRate;
            } else {
                lossy = (lossless + lossy) / 2;
            }
            if (lossy < RATE_MIN) {
                throw new IOException("packets are lost at every rate");
            }
        }
        return lossless;
    }

    private void besideSoftflowd() throws IOException, InterruptedException {
        ToolReceiver softflowd = ToolReceiver.softflowd(site, wire);
        long rate = SOFTFLOWD_RATES[0];
        Received seen = receive(softflowd, rate, false);
        for (int i = 1; i < SOFTFLOWD_RATES.length && seen.dropped() == 0; i++) {
            rate = SOFTFLOWD_RATES[i];
            seen = receive(softflowd, rate, false);
        }
        results.add(SOFTFLOWD_RATE, Rounding.to(0, sentRate));
        results.add(SOFTFLOWD_DROPPED, Rounding.to(1, seen.dropped() * 100.0 / packets));
        results.add(new PacketCost(SOFTFLOWD, seen.packets(), seen.cpuSeconds(), seen.packets() / sentRate));
        try (OwnReceiver own = warm("tpacket", LiveJob.FLOWS, false)) {
            Received ours = receive(own, rate, false);
            results.add(FLOWS_DROPPED, Rounding.to(0, (double) ours.dropped()));
            results.add(new PacketCost(FLOWS, ours.packets(), ours.cpuSeconds(), ours.packets() / sentRate));
        }
    }

    private void afXdp() throws IOException, InterruptedException {
        count("tpacket", TPACKET_COUNT, false);
        count("af_xdp", AF_XDP, true);
    }

    private void count(String backEnd, String who, boolean isAcross) throws IOException, InterruptedException {
        try (OwnReceiver own = warm(backEnd, LiveJob.COUNT, isAcross)) {
            Received seen = receive(own, COUNT_RATE, isAcross);
            results.add(new PacketCost(who, seen.packets(), seen.cpuSeconds(), seen.packets() / sentRate));
        }
    }

    private void chain() throws IOException, InterruptedException {
        require("tpacket");
        try (OwnReceiver chain = OwnReceiver.chain(site, wire)) {
            long sent = Math.max(packets, CHAIN_PACKETS_MIN);
            receive(chain, sent, CHAIN_RATE, false); // warm-up for compilation
            Received seen = receive(chain, sent, CHAIN_RATE, false);
            results.add(new PacketCost(CHAIN, seen.packets(), seen.cpuSeconds(), seen.packets() / sentRate));
            results.add(CHAIN_DROPPED, Rounding.to(0, (double) seen.dropped()));
        }
    }

    /** Returns a receiver whose code is compiled. */
    private OwnReceiver warm(String backEnd, LiveJob job, boolean isAcross) throws IOException, InterruptedException {
        require(backEnd);
        OwnReceiver receiver = OwnReceiver.start(site, wire, backEnd, job);
        try {
            receive(receiver, 0, isAcross);
            return receiver;
        } catch (IOException | InterruptedException e) {
            receiver.close();
            throw e;
        }
    }

    private static void require(String backEnd) throws IOException {
        String cause = Captures.unavailabilityCause(backEnd);
        if (!cause.isEmpty()) {
            throw new IOException(backEnd + " is not available: " + cause);
        }
    }

    private Received receive(Receiver receiver, long rate, boolean isAcross) throws IOException, InterruptedException {
        return receive(receiver, packets, rate, isAcross);
    }

    private Received receive(Receiver receiver, long count, long rate, boolean isAcross)
            throws IOException, InterruptedException {
        Received received = receiver.receive(() -> sentRate = wire.send(count, rate, isAcross));
        site.log()
                .accept("  %,.0f packets/s: %,d received, %,d dropped, %.1f ns"
                        .formatted(
                                sentRate,
                                received.packets(),
                                received.dropped(),
                                received.cpuSeconds() * NS_PER_S / Math.max(1, received.packets())));
        return received;
    }
}
