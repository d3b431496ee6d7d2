package io.chimera.node.dataset.board;

import io.chimera.coordinator.zookeeper.SharedFolder;
import io.chimera.coordinator.zookeeper.SharedFolder.Creation;
import io.chimera.coordinator.zookeeper.SharedFolder.Entry;
import io.chimera.coordinator.zookeeper.SharedFolder.Lifetime;
import io.chimera.dataset.cluster.BoardException;
import io.chimera.dataset.job.JobException;
import io.chimera.dataset.job.JobPlan;
import io.chimera.dataset.job.PlanCodec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
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
    /** Maximum length of a packed plan in parts. */
    private static final int PARTS_MAX = 64;

    /** Maximum length of a plan in memory, about 20 times the packed length. */
    private static final int LENGTH_MAX = 512 << 20;

    private static final byte[] FOLDER = {'{', '}'};

    private final SharedFolder folder;

    /** The plan that was read last: workers read it for every list of work. */
    private volatile Optional<KnownPlan> known = Optional.empty();

    private record KnownPlan(String run, BoardCodec.PlanPlace place, JobPlan plan) {}

    /**
     * A plan as it is written.
     *
     * @param bytes packed text
     * @param length length of the text in bytes
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record PackedPlan(byte[] bytes, int length) {}

    PlanParts(SharedFolder folder) {
        this.folder = folder;
    }

    /**
     * Packs a plan.
     *
     * @param plan the plan
     * @throws JobException when the plan is too long
     * @throws IOException when the plan cannot be encoded
     */
    static PackedPlan pack(JobPlan plan) throws IOException {
        return pack(plan, LENGTH_MAX, PARTS_MAX * SharedFolder.RECORD_MAX);
    }

    static PackedPlan pack(JobPlan plan, int lengthMax, int packedMax) throws IOException {
        ByteArrayOutputStream buffer = new ByteArrayOutputStream();
        int splits = plan.splits().size();
        BoundedOutput packed = new BoundedOutput(buffer, packedMax, splits);
        BoundedOutput text = new BoundedOutput(new GZIPOutputStream(packed), lengthMax, splits);
        PlanCodec.write(plan, text);
        return new PackedPlan(buffer.toByteArray(), text.length);
    }

    /** Refuses a byte too many, so that a plan that is too long does not fill the memory. */
    private static final class BoundedOutput extends FilterOutputStream {
        private final int lengthMax;
        private final int splits;
        private int length;

        BoundedOutput(OutputStream out, int lengthMax, int splits) {
            super(out);
            this.lengthMax = lengthMax;
            this.splits = splits;
        }

        private void count(int more) throws JobException {
            if (more > lengthMax - length) {
                throw new JobException(
                        "the plan of " + splits + " splits needs more than " + lengthMax
                                + " bytes, too many for a cluster; use a larger split, or several jobs with fewer"
                                + " objects each",
                        null);
            }
            length += more;
        }

        @Override
        public void write(int one) throws IOException {
            count(1);
            out.write(one);
        }

        @Override
        public void write(byte[] bytes, int offset, int more) throws IOException {
            count(more);
            out.write(bytes, offset, more);
        }
    }

    /**
     * Writes the parts of a plan.
     *
     * @param run path of the records of the job
     * @param plan the plan
     * @throws BoardException when the job is removed
     */
    BoardCodec.PlanPlace write(String run, PackedPlan plan) throws IOException {
        byte[] packed = plan.bytes();
        int parts = (packed.length + SharedFolder.RECORD_MAX - 1) / SharedFolder.RECORD_MAX;
        BoardCodec.PlanPlace place = new BoardCodec.PlanPlace(digest(packed), parts, plan.length());
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
     * @throws JobException when a part is missing or damaged
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

    private static JobPlan unpack(String run, BoardCodec.PlanPlace place, byte[] packed) throws JobException {
        try (GZIPInputStream unpacking = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            byte[] bytes = unpacking.readNBytes(place.length());
            if (bytes.length != place.length() || unpacking.read() >= 0) {
                throw damaged(run, null);
            }
            return PlanCodec.decode(bytes);
        } catch (JobException e) {
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

    private static JobException damaged(String run, Exception cause) {
        return new JobException(
                "the plan at datasets/" + run
                        + " is damaged, or of another version of Chimera; remove the job with chimera dataset remove, and run it"
                        + " again",
                cause);
    }
}
