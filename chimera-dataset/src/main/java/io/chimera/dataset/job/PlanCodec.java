package io.chimera.dataset.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ObjectVersion;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** Plan of a job as JSON. Any thread. */
public final class PlanCodec {
    private static final ObjectMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES) // of later builds
            .build();
    private static final int VERSION = 1;

    /** An object with its splits as pairs of offsets. */
    private record StoredObject(
            String path, long length, String tag, Checksum.Algorithm algorithm, String checksum, List<long[]> splits) {}

    /** A missing memory, as of earlier builds, reads as 0, which is {@link JobPlan#MEMORY_UNKNOWN}. */
    private record StoredPlan(int version, String definition, long memory, List<StoredObject> objects) {}

    private PlanCodec() {}

    /**
     * Encodes a plan.
     *
     * @param plan the plan
     * @throws IOException when the plan cannot be encoded
     */
    public static byte[] encode(JobPlan plan) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        write(plan, bytes);
        return bytes.toByteArray();
    }

    /**
     * Encodes a plan, and closes the stream.
     *
     * @param plan the plan
     * @param out receives the plan
     * @throws IOException of the stream
     */
    public static void write(JobPlan plan, OutputStream out) throws IOException {
        List<StoredObject> objects = new ArrayList<>();
        DataObject last = null;
        for (Split split : plan.splits()) {
            DataObject object = split.object();
            if (!object.equals(last)) {
                ObjectVersion version = object.version();
                objects.add(new StoredObject(
                        object.path(),
                        object.length(),
                        version.tag(),
                        version.checksum().algorithm(),
                        version.checksum().hex(),
                        new ArrayList<>()));
                last = object;
            }
            objects.get(objects.size() - 1)
                    .splits()
                    .add(new long[] {split.range().from(), split.range().to()});
        }
        JSON.writeValue(out, new StoredPlan(VERSION, plan.definition(), plan.memory(), objects));
    }

    /**
     * Decodes a plan.
     *
     * @param bytes encoded plan
     * @throws FormatException when the bytes are no plan of this version
     */
    public static JobPlan decode(byte[] bytes) throws IOException {
        StoredPlan stored;
        try {
            stored = JSON.readValue(bytes, StoredPlan.class);
        } catch (JsonProcessingException e) {
            throw new FormatException("the plan is damaged", e);
        }
        if (stored.version() != VERSION) {
            throw new FormatException(
                    "the plan has version " + stored.version() + ", this program reads version " + VERSION, null);
        }
        List<Split> splits = new ArrayList<>();
        for (StoredObject object : stored.objects()) {
            DataObject named = new DataObject(
                    object.path(),
                    object.length(),
                    new ObjectVersion(object.tag(), new Checksum(object.algorithm(), object.checksum())));
            for (long[] range : object.splits()) {
                splits.add(new Split(splits.size(), named, new ByteRange(range[0], range[1])));
            }
        }
        return new JobPlan(stored.definition(), stored.memory(), splits);
    }
}
