package io.chimera.bench.peers;

import io.chimera.bench.load.PointShape;
import io.chimera.bench.peers.engine.ChimeraEngine;
import io.chimera.bench.peers.engine.ChimeraSetup;
import io.chimera.bench.peers.engine.Engine;
import io.chimera.bench.peers.engine.JvmEngine;
import io.chimera.bench.peers.engine.KafkaEngine;
import io.chimera.bench.peers.engine.QuestDbEngine;
import io.chimera.bench.peers.engine.TelegrafEngine;
import io.chimera.bench.peers.engine.Workplace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All engines by their names in figures and options, in the order of the runs. */
final class EngineCatalog {
    /** Creates an engine. */
    @FunctionalInterface
    interface Maker {
        Engine make(Workplace workplace, PointShape shape);
    }

    /** Baseline of all comparisons; always run. */
    static final String CHIMERA = "chimera";

    /** Engine bound by its store, some hundred times slower than the other engines. */
    private static final String STORE_BOUND = "chimera_kairosdb";

    private static final Map<String, Maker> ENGINES = new LinkedHashMap<>();

    static {
        ENGINES.put(CHIMERA, (workplace, shape) -> new ChimeraEngine(workplace, ChimeraSetup.PLAIN, shape));
        ENGINES.put("chimera_k2", (workplace, shape) -> new ChimeraEngine(workplace, ChimeraSetup.TWO_JOURNALS, shape));
        ENGINES.put(STORE_BOUND, (workplace, shape) -> new ChimeraEngine(workplace, ChimeraSetup.KAIROSDB, shape));
        ENGINES.put("loop", (workplace, shape) -> JvmEngine.loop(workplace));
        ENGINES.put("flink", (workplace, shape) -> JvmEngine.flink(workplace));
        ENGINES.put("storm", (workplace, shape) -> JvmEngine.storm(workplace, false));
        ENGINES.put("storm_acking", (workplace, shape) -> JvmEngine.storm(workplace, true));
        ENGINES.put("jet", (workplace, shape) -> JvmEngine.jet(workplace));
        ENGINES.put("kafka_streams", (workplace, shape) -> new KafkaEngine(workplace));
        ENGINES.put("questdb", QuestDbEngine::new);
        ENGINES.put("telegraf", (workplace, shape) -> new TelegrafEngine(workplace));
    }

    private EngineCatalog() {}

    static Set<String> names() {
        return ENGINES.keySet();
    }

    /** Returns the engines to run: the named engines and the baseline, or all when none is named. */
    static List<String> chosen(List<String> asked) {
        return ENGINES.keySet().stream()
                .filter(name -> asked.isEmpty() || asked.contains(name) || name.equals(CHIMERA))
                .toList();
    }

    /** Returns the effort for an engine in a run of the given effort. */
    static PeersEffort effort(String name, PeersEffort asked) {
        return name.equals(STORE_BOUND) ? PeersEffort.QUICK : asked;
    }

    static Maker maker(String name) {
        return ENGINES.get(name);
    }
}
