package io.chimera.node.dataset.board;

import io.chimera.coordinator.zookeeper.SharedFolder;
import io.chimera.coordinator.zookeeper.SharedFolder.Creation;
import io.chimera.coordinator.zookeeper.SharedFolder.Entry;
import io.chimera.coordinator.zookeeper.SharedFolder.Lifetime;
import io.chimera.dataset.cluster.BoardException;
import io.chimera.dataset.job.JobPlan;
import io.chimera.dataset.job.PlanCodec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Writes and reads the parts of a plan. A plan is packed and written in parts below the digest of its content; it
 * becomes the plan of the job with the record that names this digest. Any thread.
 */
final class PlanParts {
    /** Maximum length of a packed plan: 64 parts, about five million splits. */
    private static final int PARTS_MAX = 64;

    /** Maximum length of a plan in memory, about 20 times the packed length. */
    private static final int LENGTH_MAX = 512 << 20;

    private static final byte[] FOLDER = {'{', '}'};

    private final SharedFolder folder;

    /** The plan that was read last: workers read it for every list of work. */
    private volatile Optional<KnownPlan> known = Optional.empty();

    private record KnownPlan(String run, BoardCodec.PlanPlace place, JobPlan plan) {}

    PlanParts(SharedFolder folder) {
        this.folder = folder;
    }

    /**
     * Writes the parts of a plan.
     *
     * @param run path of the records of the job
     * @param plan the plan
     * @throws BoardException when the plan is too long
     */
    BoardCodec.PlanPlace write(String run, JobPlan plan) throws IOException {
        byte[] bytes = PlanCodec.encode(plan);
        ByteArrayOutputStream buffer = new ByteArrayOutputStream();
        try (GZIPOutputStream packing = new GZIPOutputStream(buffer)) {
            packing.write(bytes);
        }
        byte[] packed = buffer.toByteArray();
        int parts = (packed.length + SharedFolder.RECORD_MAX - 1) / SharedFolder.RECORD_MAX;
        if (parts > PARTS_MAX || bytes.length > LENGTH_MAX) {
            throw new BoardException(
                    "the plan has " + plan.splits().size() + " splits, too many for a cluster; use longer splits, or"
                            + " several jobs",
                    null);
        }
        BoardCodec.PlanPlace place = new BoardCodec.PlanPlace(digest(packed), parts, bytes.length);
        String at = path(run, place);
        if (folder.create(at, FOLDER, Lifetime.KEPT) == Creation.NO_PARENT) {
            throw new BoardException("the job is removed", null);
        }
        for (int i = 0; i < parts; i++) {
            int from = i * SharedFolder.RECORD_MAX;
            int to = Math.min(packed.length, from + SharedFolder.RECORD_MAX);
            folder.create(at + "/" + i, Arrays.copyOfRange(packed, from, to), Lifetime.KEPT);
        }
        return place;
    }

    /**
     * Reads the plan at a place.
     *
     * @param run path of the records of the job
     * @param place place of the plan
     * @throws BoardException when a part is missing or damaged
     */
    JobPlan read(String run, BoardCodec.PlanPlace place) throws IOException {
        Optional<KnownPlan> last = known;
        if (last.filter(plan -> plan.run().equals(run) && plan.place().equals(place))
                .isPresent()) {
            return last.get().plan();
        }
        if (!place.digest().matches("[0-9a-f]{64}")
                || place.parts() < 1
                || place.parts() > PARTS_MAX
                || place.length() < 1
                || place.length() > LENGTH_MAX) {
            throw damaged(run, null);
        }
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        for (int i = 0; i < place.parts(); i++) {
            Entry part = folder.read(path(run, place) + "/" + i).orElseThrow(() -> damaged(run, null));
            packed.write(part.data());
        }
        if (!digest(packed.toByteArray()).equals(place.digest())) {
            throw damaged(run, null);
        }
        JobPlan plan = unpack(run, place, packed.toByteArray());
        known = Optional.of(new KnownPlan(run, place, plan));
        return plan;
    }

    private static JobPlan unpack(String run, BoardCodec.PlanPlace place, byte[] packed) throws BoardException {
        try (GZIPInputStream unpacking = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            byte[] bytes = unpacking.readNBytes(place.length());
            if (bytes.length != place.length() || unpacking.read() >= 0) {
                throw damaged(run, null);
            }
            return PlanCodec.decode(bytes);
        } catch (BoardException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            throw damaged(run, e);
        }
    }

    private static String digest(byte[] packed) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(packed));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    private static String path(String run, BoardCodec.PlanPlace place) {
        return run + "/plans/" + place.digest();
    }

    private static BoardException damaged(String run, Exception cause) {
        return new BoardException(
                "the plan at datasets/" + run + " is damaged; remove the job with chimera dataset remove, and run it"
                        + " again",
                cause);
    }
}
