package io.chimera.bench.datasets.event;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;
import java.util.SplittableRandom;

/**
 * Generated events as JSON lines of about 3 KB: number, time, trigger, jets and tracks. Momenta and energies are whole
 * numbers of MeV. An event is a function of the seed and its number. Not thread-safe.
 *
 * <pre>{"event":7,"time":1700000000070000000,"trigger":"t3","jets":[[px,py,pz,e],…],"tracks":[[px,py,pz,e],…]}</pre>
 */
public final class EventLines {
    /** Seed of the measurements. */
    public static final long SEED = 20160401L;

    /** Number of triggers, t0 to t7: the tag of the events. */
    static final int TRIGGERS = 8;

    static final String EVENT = "{\"event\":";
    static final String TIME = ",\"time\":";
    static final String TRIGGER = ",\"trigger\":\"t";
    static final String JETS = "\",\"jets\":[";
    static final String TRACKS = "],\"tracks\":[";

    /** 2023-11-14T22:13:20Z. */
    private static final long FIRST_TIME_NS = 1_700_000_000_000_000_000L;

    /** 100 events per second of event time. */
    private static final long STEP_NS = 10_000_000;

    private static final int JETS_MIN = 4;
    private static final int JETS_MORE = 5;
    private static final int JET_MEV_MAX = 400_000;
    private static final int TRACK_MEV_MAX = 20_000;

    /** Number of track lists; events share the lists, because their bytes count and not their values. */
    private static final int TRACK_LISTS = 64;

    private static final int TRACKS_MIN = 80;
    private static final int TRACKS_MORE = 41;
    private static final int EVENT_BYTES = 8 << 10;

    private final long seed;
    private final byte[][] trackLists = new byte[TRACK_LISTS][];
    private final StringBuilder text = new StringBuilder(EVENT_BYTES);

    /** Creates a generator. */
    public EventLines(long seed) {
        this.seed = seed;
        SplittableRandom random = new SplittableRandom(seed);
        for (int list = 0; list < TRACK_LISTS; list++) {
            text.setLength(0);
            vectors(random, TRACKS_MIN + random.nextInt(TRACKS_MORE), TRACK_MEV_MAX);
            trackLists[list] = text.append("]}\n").toString().getBytes(US_ASCII);
        }
    }

    /**
     * Writes an event.
     *
     * @param number number of the event, at least 0
     * @return number of bytes
     */
    public int write(long number, OutputStream out) throws IOException {
        SplittableRandom random = new SplittableRandom(seed ^ (number + 1) * 0x9E3779B97F4A7C15L);
        text.setLength(0);
        text.append(EVENT).append(number).append(TIME).append(FIRST_TIME_NS + number * STEP_NS);
        text.append(TRIGGER).append(random.nextInt(TRIGGERS)).append(JETS);
        vectors(random, JETS_MIN + random.nextInt(JETS_MORE), JET_MEV_MAX);
        text.append(TRACKS);
        byte[] head = text.toString().getBytes(US_ASCII);
        byte[] tracks = trackLists[random.nextInt(TRACK_LISTS)];
        out.write(head);
        out.write(tracks);
        return head.length + tracks.length;
    }

    /** Appends vectors of momentum and energy; the energy is at least the length of the momentum. */
    private void vectors(SplittableRandom random, int count, int mevMax) {
        for (int i = 0; i < count; i++) {
            long px = random.nextInt(-mevMax, mevMax);
            long py = random.nextInt(-mevMax, mevMax);
            long pz = random.nextInt(-mevMax, mevMax);
            long mass = random.nextInt(1, mevMax / 10);
            long energy = (long) Math.ceil(Math.sqrt((double) (px * px + py * py + pz * pz + mass * mass)));
            text.append(i == 0 ? "[" : ",[").append(px).append(',').append(py).append(',');
            text.append(pz).append(',').append(energy).append(']');
        }
    }
}
