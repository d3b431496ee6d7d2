package io.chimera.queue.journal.chronicle;

import io.chimera.common.agent.SystemClock;
import io.chimera.common.cluster.Positions;
import io.chimera.queue.journal.Batches;
import io.chimera.queue.journal.DiskLimits;
import io.chimera.queue.journal.Journal;
import io.chimera.queue.journal.JournalSettings;
import io.chimera.queue.journal.RollLimits;
import io.chimera.queue.journal.SyncPolicy;
import io.chimera.queue.journal.SyncSchedule;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Random;

/**
 * Child process of {@link JournalCrashIT}, killed by the test: appends to two streams in small files, truncates old
 * records, and prints "stream seq." for durable records.
 */
final class JournalCrashChild {
    static final int STREAMS = 2;
    private static final int KEPT = 300;

    private JournalCrashChild() {}

    static long stream(int i) {
        return 0xC0L + i;
    }

    static JournalSettings settings(Path folder, SyncPolicy sync) {
        return new JournalSettings(
                folder, new SyncSchedule(sync, 100), new DiskLimits(1L << 30, 0), new RollLimits(1 << 20, 60_000));
    }

    public static void main(String[] arguments) {
        SyncPolicy sync = SyncPolicy.valueOf(arguments[1]);
        PrintStream out = new PrintStream(System.out, true);
        Random random = new Random();
        Batches batches = new Batches();
        try (Journal journal = ChronicleJournal.open(settings(Path.of(arguments[0]), sync), "q1", new SystemClock())) {
            for (int round = 1; !out.checkError(); round++) {
                for (int i = 0; i < STREAMS; i++) {
                    int count = 1 + random.nextInt(4);
                    long first = journal.position(stream(i)) + 1;
                    Journal.Appended appended =
                            batches.append(journal, stream(i), first, count, random.nextInt(20_000));
                    if (appended != Journal.Appended.OK) {
                        throw new IllegalStateException("Appended: " + appended);
                    }
                }
                journal.sync();
                for (int i = 0; i < STREAMS; i++) {
                    out.println(i + " " + journal.durable(stream(i)) + ".");
                }
                if (round % 50 == 0) {
                    Positions.Builder cut = Positions.builder();
                    for (int i = 0; i < STREAMS; i++) {
                        cut.put(stream(i), Math.max(0, journal.durable(stream(i)) - KEPT));
                    }
                    journal.truncate(cut.build());
                }
            }
        }
    }
}
