package io.chimera.common.plugin;

import io.chimera.api.spi.ParserType;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.config.PluginsConfig;
import io.chimera.common.config.binding.Sections;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.PluginCounter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** A call ends in time or is stopped, and the interrupt of a stopped call never reaches the code after the call. */
@JCStressTest
@Outcome(id = "false, false, false", expect = Expect.ACCEPTABLE, desc = "The call ended in time.")
@Outcome(id = "true, false, false", expect = Expect.ACCEPTABLE, desc = "The call was stopped.")
@State
public class WatchStress {
    /** Length of a call, so that both looks of the watchdog often fall into the call. */
    private static final int SPINS = 200;

    private static final Watchdog WATCHDOG = new Watchdog(new SystemClock(), Long.MAX_VALUE / 2);
    private static final PluginGuard GUARD = new PluginGuard(
            new Provided<>(
                    ParserType.class,
                    "stressed",
                    NoSettings.class,
                    new PluginOrigin("stressed", "1.0", "/plugins/stressed", "0123456789abcdef"),
                    () -> null),
            Sections.of(PluginsConfig.class),
            new Counters<>(PluginCounter.class),
            error -> {},
            WATCHDOG);

    private final Watch watch = GUARD.watch();

    /** A plugin without settings. */
    private record NoSettings() {}

    @Actor
    public void caller(ZZZ_Result result) {
        watch.enter("parse");
        for (int i = 0; i < SPINS; i++) {
            Thread.onSpinWait();
        }
        try {
            watch.exit(null);
        } catch (PluginFailure e) {
            result.r1 = true;
        }
        result.r2 = Thread.interrupted();
    }

    @Actor
    public void watchdog() {
        watch.look(0, 0);
        watch.look(1, 0);
    }

    @Arbiter
    public void after(ZZZ_Result result) {
        result.r3 = watch.isInside(watch.thread());
        watch.close();
    }
}
