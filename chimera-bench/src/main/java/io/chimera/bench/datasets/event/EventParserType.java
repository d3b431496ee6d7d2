package io.chimera.bench.datasets.event;

import io.chimera.api.spi.Parser;
import io.chimera.api.spi.ParserType;
import io.chimera.api.spi.PluginContext;

/**
 * Parser plugin of the events. Parsers of a job have no settings, so system properties of the process have the
 * passes of the computation, and the pace of a worker.
 */
public final class EventParserType implements ParserType {
    /** Name of the format. */
    public static final String NAME = "bench_event";

    /** System property: passes of the computation per event, 0 to {@link #PASSES_MAX}. */
    public static final String PASSES = "chimera.bench.event-passes";

    /** System property: bytes per second of a worker; 0 or absent: as fast as its core. */
    public static final String PACE = "chimera.bench.event-bytes-per-second";

    /** Maximum number of passes: about a second per event. */
    public static final int PASSES_MAX = 10_000_000;

    /** Called by the ServiceLoader. */
    public EventParserType() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Parser create(PluginContext context) {
        return new EventParser(passes(Integer.getInteger(PASSES, 0)), new WorkerPace(Long.getLong(PACE, 0)));
    }

    private static int passes(int given) {
        if (given < 0 || given > PASSES_MAX) {
            throw new IllegalArgumentException(
                    PASSES + " is " + given + "; expected 0 to " + PASSES_MAX + " passes per event");
        }
        return given;
    }
}
