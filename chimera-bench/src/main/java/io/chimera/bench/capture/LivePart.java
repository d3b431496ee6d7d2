package io.chimera.bench.capture;

import io.chimera.bench.report.Rounding;
import io.chimera.jni.capture.Captures;
import java.io.IOException;

/** Packets that come in at an interface: ours beside tcpdump and softflowd, and AF_XDP beside TPACKET. */
final class LivePart {
    static final String TPACKET = "live_tpacket";
    static final String TCPDUMP = "live_tcpdump";
    static final String FLOWS = "live_flows";
    static final String SOFTFLOWD = "live_softflowd";
    static final String AF_XDP = "live_count_af_xdp";
    static final String TPACKET_COUNT = "live_count_tpacket";
    static final String SOFTFLOWD_DROPPED = "live_softflowd_dropped_percent";
    static final String FLOWS_DROPPED = "live_flows_dropped_count";

    private static final String SOFTFLOWD_RATE = "live_softflowd_drops_at_packets_per_s";

    private static final long PACKETS = 8_000_000;
    private static final long PACKETS_QUICK = 1_000_000;

    /** Halvings of the range in which the lossless rate lies: to 3 and 6 % of the sender's. */
    private static final int STEPS = 5;

    private static final int STEPS_QUICK = 4;

    /** Runs as fast as the sender can, which is not always equally fast; the best counts. */
    private static final int FREE_RUNS = 3;

    /** For what is compared at the same rate: so many that every receiver bears it. */
    private static final double COMMON = 0.8;

    private static final long COUNT_RATE = 1_500_000;

    /** softflowd begins to drop somewhere here; the last is as fast as the sender can. */
    private static final long[] SOFTFLOWD_RATES = {250_000, 500_000, 750_000, 1_000_000, 1_500_000, 2_000_000, 0};

    private static final double NS_PER_S = 1e9;

    private final BenchSite site;
    private final CaptureResults results;
    private final Wire wire;
    private final long packets;
    private double sentRate;

    private LivePart(BenchSite site, CaptureResults results, Wire wire) {
        this.site = site;
        this.results = results;
        this.wire = wire;
        packets = site.isQuick() ? PACKETS_QUICK : PACKETS;
    }

    /** Measures what can be measured here, and says what cannot. */
    static void measure(BenchSite site, CaptureResults results) throws InterruptedException {
        if (Runtime.getRuntime().availableProcessors() <= BenchSite.RECEIVER) {
            site.leftOut("live", "sender and receiver need a core each");
            return;
        }
        try (Wire wire = Wire.open(site)) {
            LivePart live = new LivePart(site, results, wire);
            live.part(TCPDUMP, live::besideTcpdump);
            live.part(SOFTFLOWD, live::besideSoftflowd);
            live.part(AF_XDP, live::afXdp);
        } catch (IOException e) {
            site.leftOut("live", e.getMessage());
        }
    }

    /** A comparison. */
    @FunctionalInterface
    private interface Comparison {
        void run() throws IOException, InterruptedException;
    }

    private void part(String name, Comparison comparison) throws InterruptedException {
        site.log().accept(name);
        try {
            comparison.run();
        } catch (IOException e) {
            site.leftOut(name, e.getMessage());
        }
    }

    private void besideTcpdump() throws IOException, InterruptedException {
        try (OwnReceiver own = receiver("tpacket", LiveJob.DUMP);
                ToolReceiver tcpdump = ToolReceiver.tcpdump(site, wire)) {
            receive(own, 0, false); // so that it is compiled
            double ownRate = losslessRate(own);
            double rate = losslessRate(tcpdump);
            long common = (long) (COMMON * Math.min(ownRate, rate));
            results.add(new Cost(TPACKET, packets, receive(own, common, false).cpuSeconds(), packets / ownRate));
            results.add(
                    new Cost(TCPDUMP, packets, receive(tcpdump, common, false).cpuSeconds(), packets / rate));
        }
    }

    /** The greatest rate, as far as the steps find it, at which nothing is lost. */
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
            if (lossy < packets / (double) Receiver.SETTLE_MS) {
                throw new IOException("packets are lost at every rate");
            }
        }
        return lossless;
    }

    private void besideSoftflowd() throws IOException, InterruptedException {
        try (OwnReceiver own = receiver("tpacket", LiveJob.FLOWS);
                ToolReceiver softflowd = ToolReceiver.softflowd(site, wire)) {
            receive(own, 0, false); // so that it is compiled
            Received seen = null;
            long rate = 0;
            for (int i = 0; i < SOFTFLOWD_RATES.length && (seen == null || seen.dropped() == 0); i++) {
                rate = SOFTFLOWD_RATES[i];
                seen = receive(softflowd, rate, false);
            }
            results.add(SOFTFLOWD_RATE, Rounding.to(0, sentRate));
            results.add(SOFTFLOWD_DROPPED, Rounding.to(1, seen.dropped() * 100.0 / packets));
            results.add(new Cost(SOFTFLOWD, seen.packets(), seen.cpuSeconds(), seen.packets() / sentRate));
            Received ours = receive(own, rate, false);
            results.add(FLOWS_DROPPED, Rounding.to(0, (double) ours.dropped()));
            results.add(new Cost(FLOWS, ours.packets(), ours.cpuSeconds(), ours.packets() / sentRate));
        }
    }

    private void afXdp() throws IOException, InterruptedException {
        try (OwnReceiver tpacket = receiver("tpacket", LiveJob.COUNT)) {
            receive(tpacket, 0, false); // so that it is compiled
            Received seen = receive(tpacket, COUNT_RATE, false);
            results.add(new Cost(TPACKET_COUNT, seen.packets(), seen.cpuSeconds(), seen.packets() / sentRate));
        }
        try (OwnReceiver afXdp = receiver("af_xdp", LiveJob.COUNT)) {
            receive(afXdp, 0, true); // so that it is compiled
            Received seen = receive(afXdp, COUNT_RATE, true);
            results.add(new Cost(AF_XDP, seen.packets(), seen.cpuSeconds(), seen.packets() / sentRate));
        }
    }

    private OwnReceiver receiver(String backEnd, LiveJob job) throws IOException {
        String cause = Captures.unavailabilityCause(backEnd);
        if (!cause.isEmpty()) {
            throw new IOException(backEnd + " cannot be used: " + cause);
        }
        return OwnReceiver.start(site, wire, backEnd, job);
    }

    private Received receive(Receiver receiver, long rate, boolean isAcross) throws IOException, InterruptedException {
        Received received = receiver.receive(() -> sentRate = wire.send(packets, rate, isAcross));
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
