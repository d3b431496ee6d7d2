package io.chimera.archive.distributed;

import io.chimera.archive.distributed.Parcel.Part;
import io.chimera.archive.distributed.Parcel.Reply;
import io.chimera.archive.index.record.DamagedRecordException;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.query.answer.FoundPoints;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.common.cluster.archive.ArchiveMember;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Network of a {@link SimArchives} with loss, delay, duplicates and reordering. Implements the faulty behaviour of some
 * mutants.
 */
final class FakeNetwork implements Peers {
    private static final long MS = 1_000_000L;
    private static final long SECOND = 1_000 * MS;
    private static final long ASK_TIMEOUT_NS = 5 * SECOND;

    private final SimArchives cluster;
    private final SimArchives.Mutant mutant;
    private final DistributedCodec codec = new DistributedCodec(PacketKeys.keys());

    /** Incarnation of each sender's index at each receiver. */
    private final Map<Way, Long> incarnations = new HashMap<>();

    private record Way(long sender, long receiver) {}

    FakeNetwork(SimArchives cluster, SimArchives.Mutant mutant) {
        this.cluster = cluster;
        this.mutant = mutant;
    }

    private long delay() {
        return cluster.hasFaults && cluster.random.nextInt(50) == 0
                ? cluster.within(20 * SECOND)
                : cluster.within(20 * MS);
    }

    private boolean isLost() {
        return cluster.hasFaults && cluster.random.nextInt(30) == 0;
    }

    private SimNode find(ArchiveMember member) {
        return cluster.nodes.stream()
                .filter(node -> node.id.equals(member.http()))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void bring(ArchiveMember to, byte[] parcel, Consumer<byte[]> reply) {
        boolean[] isOver = new boolean[1];
        Consumer<byte[]> once = answer -> {
            if (!isOver[0]) {
                isOver[0] = true;
                reply.accept(answer);
            }
        };
        cluster.after(ASK_TIMEOUT_NS, () -> once.accept(null));
        for (int copies = cluster.hasFaults && cluster.random.nextInt(20) == 0 ? 2 : 1; copies > 0; copies--) {
            deliver(to, node -> take(node, parcel), once);
        }
    }

    private byte[] take(SimNode node, byte[] bytes) throws DamagedRecordException {
        return switch (mutant) {
            case VOIDS_CLEARED -> node.indexNode.take(withoutVoids(codec.parcel(bytes)));
            case LAST_TOO_EARLY -> node.indexNode.take(withLast(codec.parcel(bytes)));
            case INCARNATION_IGNORED -> takeWhateverTheIncarnation(node, codec.parcel(bytes));
            default -> node.indexNode.take(bytes);
        };
    }

    private byte[] withoutVoids(Parcel parcel) {
        return codec.encode(new Parcel(
                parcel.session(),
                parcel.spanNs(),
                parcel.incarnation(),
                parcel.sequence(),
                parcel.generation(),
                parcel.empties(),
                List.of(),
                parcel.parts()));
    }

    private byte[] withLast(Parcel parcel) {
        return codec.encode(new Parcel(
                parcel.session(),
                parcel.spanNs(),
                parcel.incarnation(),
                parcel.sequence(),
                parcel.generation(),
                parcel.empties(),
                parcel.voids(),
                parcel.parts().stream()
                        .map(part -> new Part(part.span(), part.isFirst(), true, part.groups()))
                        .toList()));
    }

    /** Applies a parcel with a wrong incarnation to the current incarnation, without the sender's knowledge. */
    private byte[] takeWhateverTheIncarnation(SimNode node, Parcel parcel) throws DamagedRecordException {
        Way way = new Way(parcel.session(), node.session);
        Parcel meant = new Parcel(
                parcel.session(),
                parcel.spanNs(),
                parcel.incarnation() == 0 ? 0 : incarnations.getOrDefault(way, 0L),
                parcel.sequence(),
                parcel.generation(),
                parcel.empties(),
                parcel.voids(),
                parcel.parts());
        Reply reply = codec.reply(node.indexNode.take(codec.encode(meant)));
        incarnations.put(way, reply.incarnation());
        long told = parcel.incarnation() == 0 ? reply.incarnation() : parcel.incarnation();
        return codec.encode(new Reply(told, reply.sequence(), reply.floor()));
    }

    private void deliver(ArchiveMember to, Served served, Consumer<byte[]> reply) {
        if (isLost()) {
            return;
        }
        cluster.after(delay(), () -> {
            SimNode node = find(to);
            if (!node.isRunning()) {
                cluster.after(delay(), () -> reply.accept(null));
                return;
            }
            byte[] answer = serve(node, served);
            if (!isLost()) {
                cluster.after(delay(), () -> reply.accept(answer));
            }
        });
    }

    private static byte[] serve(SimNode node, Served served) {
        try {
            return served.serve(node);
        } catch (DamagedRecordException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public List<byte[]> ask(List<ArchiveMember> to, List<byte[]> asks) {
        byte[][] answers = new byte[to.size()][];
        boolean[] isOver = new boolean[to.size()];
        for (int i = 0; i < to.size(); i++) {
            int position = i;
            deliver(to.get(i), node -> node.indexNode.answer(asks.get(position)), answer -> {
                answers[position] = isOver[position] ? answers[position] : answer;
                isOver[position] = true;
            });
        }
        long endNs = cluster.clock.nanoTime() + ASK_TIMEOUT_NS;
        while (cluster.clock.nanoTime() < endNs && !allOf(isOver)) {
            cluster.step();
        }
        Arrays.fill(isOver, true);
        return new ArrayList<>(Arrays.asList(answers));
    }

    private static boolean allOf(boolean[] flags) {
        for (boolean flag : flags) {
            if (!flag) {
                return false;
            }
        }
        return true;
    }

    @Override
    public FoundPackets packets(ArchiveMember from, Question question) {
        throw new UnsupportedOperationException("Only who is asked is looked at here.");
    }

    @Override
    public FoundPoints points(ArchiveMember from, Question question) {
        throw new UnsupportedOperationException("Only who is asked is looked at here.");
    }

    @Override
    public void awaitRoom(int refusals) {
        throw new UnsupportedOperationException("Only who is asked is looked at here.");
    }

    /** Message handler of a node. */
    private interface Served {
        byte[] serve(SimNode node) throws DamagedRecordException;
    }
}
