package io.chimera.faults.sim;

import io.chimera.faults.sim.mutant.Mutant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/** Runs many seeds on all cores; each seed runs on a single thread, independent of the others. */
final class SeedFarm {
    private final int threads;

    SeedFarm(int threads) {
        this.threads = threads;
    }

    /** Creates a farm with a thread for each core. */
    static SeedFarm onAllCores() {
        return new SeedFarm(Runtime.getRuntime().availableProcessors());
    }

    /**
     * Runs seeds.
     *
     * @param first the first seed
     * @param count number of seeds
     * @param results receives the results, one after the other
     */
    void run(long first, long count, Consumer<SeedResult> results) {
        AtomicLong next = new AtomicLong(first);
        LongFunction<SeedResult> seeds = seed -> new SeedRun(seed, null, null).run();
        Callable<Void> work = () -> {
            for (long seed = next.getAndIncrement(); seed < first + count; seed = next.getAndIncrement()) {
                SeedResult result = seeds.apply(seed);
                synchronized (results) {
                    results.accept(result);
                }
            }
            return null;
        };
        all(IntStream.range(0, threads).mapToObj(i -> work).toList());
    }

    /**
     * Searches a seed that catches each mutant.
     *
     * @param mutants the mutants
     * @param first the first seed
     * @param count maximum number of seeds per mutant
     * @param caught receives the result of each mutant, one after the other; the result is sound when no seed caught
     *     the mutant
     */
    void hunt(List<Mutant> mutants, long first, long count, HuntResult caught) {
        all(mutants.stream()
                .<Callable<Void>>map(mutant -> () -> {
                    SeedResult result = hunt(mutant, first, count);
                    synchronized (caught) {
                        caught.accept(mutant, result);
                    }
                    return null;
                })
                .toList());
    }

    /** Receives the result of the search for a mutant. */
    @FunctionalInterface
    interface HuntResult {
        /** Called with the result of the catching seed, or of the last seed. */
        void accept(Mutant mutant, SeedResult result);
    }

    private static SeedResult hunt(Mutant mutant, long first, long count) {
        LongFunction<SeedResult> seeds = MutantLoader.load(mutant, null);
        LongFunction<SeedResult> control = MutantLoader.loadControl(mutant);
        for (long seed = first; seed < first + count; seed++) {
            SeedResult result = seeds.apply(seed);
            if (!result.isSound()
                    && (mutant.control().isEmpty() || control.apply(seed).isSound())) {
                return result;
            }
        }
        return new SeedResult(first + count - 1, 0, 0, 0, 0, 0, Map.of(), 0, "", "");
    }

    private void all(List<Callable<Void>> tasks) {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            for (Future<Void> task : executor.invokeAll(tasks)) {
                task.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause().getMessage(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            executor.shutdownNow();
        }
    }
}
