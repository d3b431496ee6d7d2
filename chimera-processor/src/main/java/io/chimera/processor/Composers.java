package io.chimera.processor;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.SerialExecutor;
import io.chimera.common.agent.Wakeup;
import io.chimera.processor.pipeline.BlockPool;
import io.chimera.processor.pipeline.CompletedShard;
import io.chimera.processor.pipeline.LetterFiles;
import io.chimera.processor.pipeline.Pipeline;
import io.chimera.processor.pipeline.ProcessorComposition;
import io.chimera.processor.pipeline.Rebuilding;
import io.chimera.processor.staging.composer.ComposerAgent;
import io.chimera.processor.staging.composer.ComposerPorts;
import io.chimera.processor.staging.composer.PastCycleRequests;
import io.chimera.processor.staging.warehouse.ChunkPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * Composers between staging and flusher: one composer for each composition of the held pipelines. A shard passes the
 * composers of its own pipelines in pipeline order, and returns in reverse order. An unchanged pipeline keeps its
 * composer, and so its block state, across a configuration change. Composers begin and end with their pipelines. After
 * {@link #start} each composer has a thread; otherwise the caller drives all composers as a single agent.
 */
final class Composers implements Agent, AutoCloseable {
    /** Capacity of each queue in shards: 4 cycles in flight x 16 shards per cycle. */
    private static final int SHARDS_BETWEEN = 64;

    private final ProcessorIdentity identity;
    private final ProcessorEnvironment surroundings;
    private final ChunkPool pool;
    private final LetterFiles letters;
    private final Wakeup flusher;
    private final AtomicInteger requests = new AtomicInteger();
    private final ManyToOneConcurrentArrayQueue<CompletedShard> composed = queue();
    private final ManyToOneConcurrentArrayQueue<CompletedShard> home = queue();
    private volatile List<Composer> all = List.of();
    private volatile List<PastCycleRequests> desks = List.of();
    private SerialExecutor endings = SerialExecutor.inline();
    private volatile boolean isStarted;

    /** A composer with its queues. */
    private final class Composer {
        private final ProcessorComposition after;
        private final PastCycleRequests desk = new PastCycleRequests();
        private final ManyToOneConcurrentArrayQueue<CompletedShard> whole = queue();
        private final ManyToOneConcurrentArrayQueue<CompletedShard> flushed = queue();
        private final AgentThreads thread = new AgentThreads(identity.id(), surroundings.errors());
        private final ComposerAgent agent;

        Composer(Pipeline pipeline) {
            after = pipeline.after();
            String blocks = identity.id() + "-" + pipeline.name();
            ComposerPorts links = new ComposerPorts(
                    identity.session(),
                    surroundings.clock(),
                    surroundings.cluster(),
                    whole::poll,
                    shard -> onward(shard, shard.ordinalOf(after)),
                    flushed::poll,
                    shard -> homeward(shard, shard.ordinalOf(after)),
                    desk,
                    requests::incrementAndGet,
                    () -> isStarted ? new AgentThreads(blocks, surroundings.errors()) : null,
                    surroundings.counters(),
                    surroundings.errors());
            agent = new ComposerAgent(links, pipeline, pool.sibling(), letters);
        }

        void end() {
            if (isStarted) {
                thread.close();
            } else {
                agent.onClose();
            }
        }
    }

    /**
     * Creates the set without composers.
     *
     * @param pool staging memory; the memory of the composers counts against the same limit
     * @param letters dead-letter files of the node
     * @param flusher wakes the flusher
     */
    Composers(
            ProcessorIdentity identity,
            ProcessorEnvironment surroundings,
            ChunkPool pool,
            LetterFiles letters,
            Wakeup flusher) {
        this.identity = identity;
        this.surroundings = surroundings;
        this.pool = pool;
        this.letters = letters;
        this.flusher = flusher;
    }

    /** Starts a thread for each composer. */
    synchronized void start() {
        isStarted = true;
        endings = SerialExecutor.onThread(identity.id() + "-composers", surroundings.errors());
        all.forEach(composer -> composer.thread.start(composer.agent));
    }

    private static ManyToOneConcurrentArrayQueue<CompletedShard> queue() {
        return new ManyToOneConcurrentArrayQueue<>(SHARDS_BETWEEN);
    }

    /** Creates the missing composers for the compositions of the pipelines. Any thread. */
    synchronized void add(List<Pipeline> pipelines) {
        List<Composer> next = new ArrayList<>(all);
        for (Pipeline pipeline : pipelines) {
            if (pipeline.after() != null && find(pipeline.after()) == null) {
                Composer added = new Composer(pipeline);
                next.add(added);
                if (isStarted) {
                    added.thread.start(added.agent);
                }
            }
        }
        publish(next);
    }

    private void publish(List<Composer> next) {
        all = List.copyOf(next);
        desks = next.stream().map(composer -> composer.desk).toList();
    }

    /**
     * Ends the composers of retired pipelines, after their last shard has returned. Any thread.
     *
     * @param kept held pipelines; a composition of a held pipeline keeps its composer
     */
    synchronized void end(List<Pipeline> pipelines, List<List<Pipeline>> kept) {
        for (Composer composer : all) {
            boolean isOver =
                    has(pipelines, composer.after) && kept.stream().noneMatch(each -> has(each, composer.after));
            if (isOver) {
                endings.execute(() -> end(composer));
            }
        }
    }

    private void end(Composer composer) {
        composer.end();
        synchronized (this) {
            List<Composer> next = new ArrayList<>(all);
            next.remove(composer);
            publish(next);
        }
    }

    private static boolean has(List<Pipeline> pipelines, ProcessorComposition after) {
        return pipelines.stream().anyMatch(pipeline -> pipeline.after() == after);
    }

    private Composer find(ProcessorComposition after) {
        for (Composer composer : all) {
            if (composer.after == after) {
                return composer;
            }
        }
        return null;
    }

    /** Hands a shard from staging to the first composer, or to the flusher; false when the queue is full. */
    boolean handOver(CompletedShard shard) {
        return onward(shard, -1);
    }

    /** Makes the composers give back waiting shards of cycles after the given cycle. */
    void makeRoomFor(long cycle) {
        all.forEach(composer -> composer.agent.giveBackAfter(cycle));
    }

    private boolean onward(CompletedShard shard, int behind) {
        List<Pipeline> pipelines = shard.pipelines();
        for (int i = behind + 1; i < pipelines.size(); i++) {
            if (pipelines.get(i).after() != null) {
                return find(pipelines.get(i).after()).whole.offer(shard);
            }
        }
        boolean isTaken = composed.offer(shard);
        flusher.wake();
        return isTaken;
    }

    /** Polls the next shard for the flusher; null when the queue is empty. */
    CompletedShard composed() {
        return composed.poll();
    }

    /** Returns a flushed shard to the last composer, or to staging; false when the queue is full. */
    boolean flushed(CompletedShard shard) {
        return homeward(shard, shard.pipelines().size());
    }

    private boolean homeward(CompletedShard shard, int ahead) {
        List<Pipeline> pipelines = shard.pipelines();
        for (int i = ahead - 1; i >= 0; i--) {
            if (pipelines.get(i).after() != null) {
                return find(pipelines.get(i).after()).flushed.offer(shard);
            }
        }
        return home.offer(shard);
    }

    /** Polls the next released shard for staging; null when the queue is empty. */
    CompletedShard home() {
        return home.poll();
    }

    /**
     * Returns the past-cycle requests of the present composers. The list is a new object after every change. Any
     * thread.
     */
    List<PastCycleRequests> desks() {
        return desks;
    }

    /** Returns the state rebuilds in progress, for display. Any thread. */
    List<Rebuilding> rebuilding() {
        return all.stream()
                .map(composer -> composer.agent.rebuilding())
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns the thread pools of the compositions, for display. Any thread. */
    List<BlockPool> pools() {
        return all.stream().flatMap(composer -> composer.agent.pools().stream()).toList();
    }

    @Override
    public String roleName() {
        return "composers";
    }

    @Override
    public int doWork() {
        int work = 0;
        for (Composer composer : all) {
            work += composer.agent.doWork();
        }
        return work;
    }

    /** Ends composers without threads. */
    @Override
    public void onClose() {
        all.forEach(Composer::end);
        all = List.of();
    }

    /** Stops the threads of the composers. */
    @Override
    public void close() {
        endings.close();
        if (isStarted) {
            all.forEach(Composer::end);
        }
    }
}
