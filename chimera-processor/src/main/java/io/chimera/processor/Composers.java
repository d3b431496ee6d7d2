package io.chimera.processor;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.Chores;
import io.chimera.common.agent.Wakeup;
import io.chimera.processor.staging.composer.ComposerAgent;
import io.chimera.processor.staging.composer.ComposerLinks;
import io.chimera.processor.staging.composer.PastDesk;
import io.chimera.processor.staging.warehouse.ChunkPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;

/**
 * What lies between staging and flusher: a composer for each composition of the pipelines that are held. A shard goes through those
 * of its own pipelines, in their order, and home the other way. A pipeline that did not change goes on in its composer, and so does
 * its state. Composers come and go with their pipelines; each has a thread, or all of them are driven by hand as one agent.
 */
final class Composers implements Agent, AutoCloseable {
    /** Shards in a queue: 4 cycles in flight x all of 16 shards. */
    private static final int SHARDS_BETWEEN = 64;

    private final ProcessorIdentity identity;
    private final ProcessorSurroundings surroundings;
    private final ChunkPool pool;
    private final LetterFiles letters;
    private final Wakeup flusher;
    private final AtomicInteger requests = new AtomicInteger();
    private final ManyToOneConcurrentArrayQueue<WholeShard> composed = queue();
    private final ManyToOneConcurrentArrayQueue<WholeShard> home = queue();
    private volatile List<Composer> all = List.of();
    private volatile List<PastDesk> desks = List.of();
    private Chores endings = Chores.inline();
    private volatile boolean isStarted;

    /** A composer, and the ways to it. */
    private final class Composer {
        private final After after;
        private final PastDesk desk = new PastDesk();
        private final ManyToOneConcurrentArrayQueue<WholeShard> whole = queue();
        private final ManyToOneConcurrentArrayQueue<WholeShard> flushed = queue();
        private final AgentThreads thread = new AgentThreads(identity.id(), surroundings.errors());
        private final ComposerAgent agent;

        Composer(Pipeline pipeline) {
            after = pipeline.after();
            String blocks = identity.id() + "-" + pipeline.name();
            ComposerLinks links = new ComposerLinks(
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
     * No composers yet.
     *
     * @param pool memory that theirs is counted together with
     * @param letters dead-letter files of the node
     * @param flusher wakes the flusher
     */
    Composers(
            ProcessorIdentity identity,
            ProcessorSurroundings surroundings,
            ChunkPool pool,
            LetterFiles letters,
            Wakeup flusher) {
        this.identity = identity;
        this.surroundings = surroundings;
        this.pool = pool;
        this.letters = letters;
        this.flusher = flusher;
    }

    /** Gives each a thread. */
    synchronized void start() {
        isStarted = true;
        endings = Chores.onThread(identity.id() + "-composers", surroundings.errors());
        all.forEach(composer -> composer.thread.start(composer.agent));
    }

    private static ManyToOneConcurrentArrayQueue<WholeShard> queue() {
        return new ManyToOneConcurrentArrayQueue<>(SHARDS_BETWEEN);
    }

    /** Makes composers for those compositions of pipelines that have none. Any thread. */
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
     * Ends the composers of pipelines of which no shard is on its way any more. Any thread.
     *
     * @param kept pipelines that are held; a composition that one of them has goes on
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

    private static boolean has(List<Pipeline> pipelines, After after) {
        return pipelines.stream().anyMatch(pipeline -> pipeline.after() == after);
    }

    private Composer find(After after) {
        for (Composer composer : all) {
            if (composer.after == after) {
                return composer;
            }
        }
        return null;
    }

    /** Takes a shard from staging; false when there is no room now. */
    boolean handOver(WholeShard shard) {
        return onward(shard, -1);
    }

    /** Makes composers give back the shards of cycles after one that wait for their turn. */
    void makeRoomFor(long cycle) {
        all.forEach(composer -> composer.agent.giveBackAfter(cycle));
    }

    private boolean onward(WholeShard shard, int behind) {
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

    /** The next shard for the flusher; null when there is none. */
    WholeShard composed() {
        return composed.poll();
    }

    /** Takes a shard from the flusher, which is done with it; false when there is no room now. */
    boolean flushed(WholeShard shard) {
        return homeward(shard, shard.pipelines().size());
    }

    private boolean homeward(WholeShard shard, int ahead) {
        List<Pipeline> pipelines = shard.pipelines();
        for (int i = ahead - 1; i >= 0; i--) {
            if (pipelines.get(i).after() != null) {
                return find(pipelines.get(i).after()).flushed.offer(shard);
            }
        }
        return home.offer(shard);
    }

    /** The next shard for staging, which everybody is done with; null when there is none. */
    WholeShard home() {
        return home.poll();
    }

    /** Where those that there are ask for past cycles; another list whenever these are others. Any thread. */
    List<PastDesk> desks() {
        return desks;
    }

    /** What state is being built, for people. Any thread. */
    List<Rebuilding> rebuilding() {
        return all.stream()
                .map(composer -> composer.agent.rebuilding())
                .filter(Objects::nonNull)
                .toList();
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

    /** Of composers that were driven by hand. */
    @Override
    public void onClose() {
        all.forEach(Composer::end);
        all = List.of();
    }

    /** Stops their threads. */
    @Override
    public void close() {
        endings.close();
        if (isStarted) {
            all.forEach(Composer::end);
        }
    }
}
