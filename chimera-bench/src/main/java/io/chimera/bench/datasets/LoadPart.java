package io.chimera.bench.datasets;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.datasets.process.DeadlineProcess;
import io.chimera.bench.datasets.process.JobCommands.Order;
import io.chimera.bench.datasets.process.JobText;
import io.chimera.bench.datasets.process.JobText.EventKind;
import io.chimera.bench.report.ProgramRun;
import io.chimera.dataset.plan.StrategyWish;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.CloseHelper;

/**
 * Rate of a transfer on a core that other processes use up, divided by the rate on an idle core: scp, as in Figure 4 of
 * the paper of 2016, and a job with the strategy copy. Server and path are bound to no core.
 */
final class LoadPart {
    private static final String LOAD = "figure4_";

    private static final String IDLE = "idle";
    private static final String BUSY = "busy";

    /** Processes that use the core, as in the paper. */
    private static final int BURNERS = 8;

    private static final String BURN = "while :; do :; done";
    private static final int SPLITS = 16;
    private static final double MEGA = 1e6;

    private final DatasetsSite site;
    private final DataFolder.DataSet set;

    private LoadPart(DatasetsSite site, DataFolder.DataSet set) {
        this.site = site;
        this.set = set;
    }

    static void measure(DatasetsSite site) throws InterruptedException {
        NetworkSetting path = DatasetsEffort.FAR;
        try (DataFolder.DataSet set =
                site.data().events("load", path.bytes(site.effort().settingSeconds()), 1)) {
            LoadPart part = new LoadPart(site, set);
            CopyTool.SCP.behind(site, path, part::measure);
        } catch (IOException e) {
            site.results().fail(LOAD + "scp_busy_to_idle", e);
        }
    }

    private void measure(String url, CopyTool.CopyCommand command) throws IOException, InterruptedException {
        Order order = new Order(new JobText(EventKind.EVENTS, set.objects(), set.bytes() / SPLITS), url, 0);
        CopyTool.CopyCommand onCore =
                (objects, target) -> ProgramRun.onCore(BenchSite.RECEIVER, command.of(objects, target));
        compare("scp", () -> CopyPart.copied(site, CopyTool.SCP, set.objects(), onCore));
        compare("copy", () -> {
            double seconds = site.commands()
                    .onCore(BenchSite.RECEIVER)
                    .run(order, StrategyWish.COPY)
                    .jobSeconds();
            site.log("copy", seconds);
            return seconds;
        });
    }

    private void compare(String name, AlternatingRounds.Variant transfer) throws IOException, InterruptedException {
        AlternatingRounds rounds = new AlternatingRounds();
        rounds.add(IDLE, () -> set.bytes() / MEGA / transfer.measure());
        rounds.add(BUSY, () -> set.bytes() / MEGA / busy(transfer));
        Map<String, List<Double>> rates = rounds.run(site.effort().scale().rounds());
        rates.forEach((core, each) -> site.results().figure(LOAD + name + "_" + core + "_mb_per_s", each));
        site.results().ratio(LOAD + name + "_busy_to_idle", rates.get(BUSY), rates.get(IDLE));
    }

    private double busy(AlternatingRounds.Variant transfer) throws IOException, InterruptedException {
        List<DeadlineProcess> burners = new ArrayList<>();
        Path folder = site.bench().folder();
        try {
            List<String> burn = ProgramRun.onCore(BenchSite.RECEIVER, List.of(ProgramRun.require("bash"), "-c", BURN));
            for (int burner = 0; burner < BURNERS; burner++) {
                burners.add(DeadlineProcess.start(burn, folder, folder.resolve("burner.log")));
            }
            return transfer.measure();
        } finally {
            CloseHelper.closeAll(burners);
        }
    }
}
