package io.chimera.processor;

import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.Wakeup;
import io.chimera.processor.staging.composer.ComposerAgent;
import io.chimera.processor.staging.composer.ComposerLinks;
import io.chimera.processor.staging.composer.PastDesk;
import io.chimera.processor.staging.warehouse.ChunkPool;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;

/**
 * What lies between staging and flusher: a queue each way, and where pipelines have compositions their composers one behind the
 * other, with queues each way between them. Shards that are done with go home the way they came.
 */
final class Composers {
    /** Shards in a queue: 4 cycles in flight x all of 16 shards. */
    private static final int SHARDS_BETWEEN = 64;

    private final List<ComposerAgent> agents = new ArrayList<>();
    private final List<PastDesk> desks = new ArrayList<>();
    private final Wakeup flusher;
    private final OneToOneConcurrentArrayQueue<WholeShard> whole = queue();
    private final OneToOneConcurrentArrayQueue<WholeShard> home = queue();
    private OneToOneConcurrentArrayQueue<WholeShard> composed = whole;
    private OneToOneConcurrentArrayQueue<WholeShard> flushed = home;

    /**
     * Composers for the pipelines that have compositions.
     *
     * @param pool memory that theirs is counted together with
     * @param isStarted whether agents have threads; asked on the composers'
     * @param flusher wakes the flusher
     */
    Composers(
            ProcessorIdentity identity,
            ProcessorSurroundings surroundings,
            List<Pipeline> pipelines,
            ChunkPool pool,
            BooleanSupplier isStarted,
            Wakeup flusher) {
        this.flusher = flusher;
        for (Pipeline pipeline : pipelines) {
            desks.add(pipeline.after() == null ? null : new PastDesk());
            if (pipeline.after() != null) {
                add(identity, surroundings, pipeline, pool, isStarted);
            }
        }
    }

    private void add(
            ProcessorIdentity identity,
            ProcessorSurroundings surroundings,
            Pipeline pipeline,
            ChunkPool pool,
            BooleanSupplier isStarted) {
        OneToOneConcurrentArrayQueue<WholeShard> next = queue();
        OneToOneConcurrentArrayQueue<WholeShard> back = queue();
        String threadsName = identity.id() + "-" + pipeline.name();
        ComposerLinks links = new ComposerLinks(
                identity.session(),
                surroundings.clock(),
                surroundings.cluster(),
                composed::poll,
                shard -> offer(next, shard),
                back::poll,
                flushed::offer,
                desks.get(pipeline.ordinal()),
                () -> isStarted.getAsBoolean() ? new AgentThreads(threadsName, surroundings.errors()) : null,
                surroundings.counters(),
                surroundings.errors());
        agents.add(new ComposerAgent(links, pipeline, pool.sibling(), identity.dataFolder()));
        composed = next;
        flushed = back;
    }

    private boolean offer(OneToOneConcurrentArrayQueue<WholeShard> queue, WholeShard shard) {
        boolean isTaken = queue.offer(shard);
        flusher.wake();
        return isTaken;
    }

    private static OneToOneConcurrentArrayQueue<WholeShard> queue() {
        return new OneToOneConcurrentArrayQueue<>(SHARDS_BETWEEN);
    }

    /** The agents, from staging to flusher. */
    List<ComposerAgent> agents() {
        return agents;
    }

    /** By pipeline; null where it has no composition. */
    List<PastDesk> desks() {
        return desks;
    }

    /** Takes a shard from staging; false when there is no room now. */
    boolean handOver(WholeShard shard) {
        return offer(whole, shard);
    }

    /** To the flusher. */
    OneToOneConcurrentArrayQueue<WholeShard> composed() {
        return composed;
    }

    /** From the flusher. */
    OneToOneConcurrentArrayQueue<WholeShard> flushed() {
        return flushed;
    }

    /** To staging. */
    OneToOneConcurrentArrayQueue<WholeShard> home() {
        return home;
    }
}
