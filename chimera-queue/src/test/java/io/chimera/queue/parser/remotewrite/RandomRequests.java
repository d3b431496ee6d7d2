package io.chimera.queue.parser.remotewrite;

import static io.chimera.queue.parser.remotewrite.RemoteWriteMessages.message;
import static io.chimera.queue.parser.remotewrite.RemoteWriteMessages.with;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Random requests of both versions: mostly valid, few different series, with everything that senders leave out. */
final class RandomRequests {
    /** Needs a length of two bytes. */
    private static final String LONG = "long".repeat(50);

    private static final String[] NAMES = {"__name__", "job", "instance", "le", "größe", "a.b c", ""};
    private static final String[] VALUES = {"up", "http_requests_total", "x_bucket", "a", "🌍", "two\nlines", LONG, ""};
    private static final double[] SAMPLES = {
        0, 1.5, -3e300, Double.NaN, Double.POSITIVE_INFINITY, Double.longBitsToDouble(SeriesWriter.STALE), 42
    };
    private static final long[] TIMES = {0, 1_700_000_000_000L, -1, Long.MAX_VALUE, 9_223_372_036_854L, 7};

    private final Random random;

    RandomRequests(Random random) {
        this.random = random;
    }

    /** Makes a body of version 1.0. */
    byte[] first() {
        DynamicMessage.Builder request = message("WriteRequest");
        for (int count = random.nextInt(4); count > 0; count--) {
            DynamicMessage.Builder series = message("TimeSeries");
            for (String[] label : labels()) {
                with(series, "labels", with(with(message("Label"), "name", label[0]), "value", label[1]));
            }
            for (int samples = random.nextInt(4); samples > 0; samples--) {
                with(series, "samples", extended(with(with(message("Sample"), "value", value()), "timestamp", time())));
            }
            others(series, with(message("Exemplar"), "labels", with(message("Label"), "name", "trace_id")));
            with(request, "timeseries", extended(series));
        }
        if (random.nextInt(4) == 0) {
            with(request, "metadata", with(with(message("MetricMetadata"), "type", 1), "help", "text"));
        }
        return shuffled(extended(request).build());
    }

    /** Makes a body of version 2.0. */
    byte[] second() {
        List<String> symbols = new ArrayList<>(List.of(""));
        DynamicMessage.Builder request = message("Request");
        List<DynamicMessage.Builder> all = new ArrayList<>();
        for (int count = random.nextInt(4); count > 0; count--) {
            DynamicMessage.Builder series = message("TimeSeries2");
            for (String[] label : labels()) {
                with(series, "labels_refs", symbol(label[0], symbols), symbol(label[1], symbols));
            }
            if (random.nextInt(20) == 0) {
                with(series, "labels_refs", random.nextInt(12) - 1);
            }
            for (int samples = random.nextInt(4); samples > 0; samples--) {
                DynamicMessage.Builder sample = with(with(message("Sample2"), "value", value()), "timestamp", time());
                with(series, "samples", extended(with(sample, "start_timestamp", rarely(time()))));
            }
            others(series, with(message("Exemplar2"), "labels_refs", 1, 2));
            if (random.nextBoolean()) {
                with(series, "metadata", with(with(message("Metadata2"), "type", random.nextInt(9)), "help_ref", 1));
            }
            with(series, "created_timestamp", rarely(time()));
            all.add(series);
        }
        with(
                request,
                "symbols",
                symbols.subList(random.nextInt(30) == 0 ? 1 : 0, symbols.size()).toArray());
        all.forEach(series -> with(request, "timeseries", extended(series)));
        return shuffled(extended(request).build());
    }

    private static int symbol(String text, List<String> symbols) {
        int known = symbols.indexOf(text);
        if (known >= 0) {
            return known;
        }
        symbols.add(text);
        return symbols.size() - 1;
    }

    private List<String[]> labels() {
        List<String[]> labels = new ArrayList<>();
        for (int i = 0; i < NAMES.length; i++) {
            boolean isRare = NAMES[i].isEmpty();
            if (i == 0 ? random.nextInt(20) > 0 : random.nextInt(isRare ? 60 : 2) == 0) {
                int last = VALUES.length - (random.nextInt(10) == 0 ? 0 : 1);
                labels.add(new String[] {NAMES[i], VALUES[random.nextInt(last)]});
            }
        }
        if (random.nextInt(20) == 0 && !labels.isEmpty()) {
            labels.add(labels.get(0));
        }
        if (random.nextInt(50) == 0) {
            for (int i = random.nextInt(70); i > 0; i--) {
                labels.add(new String[] {"label" + i, "v"});
            }
        }
        if (random.nextInt(3) == 0) {
            Collections.shuffle(labels, random);
        }
        return labels;
    }

    private void others(DynamicMessage.Builder series, DynamicMessage.Builder exemplar) {
        for (int count = rarely(2); count > 0; count--) {
            with(series, "exemplars", exemplar);
        }
        if (random.nextInt(10) == 0) {
            DynamicMessage.Builder span = with(with(message("Span"), "offset", -1), "length", 2);
            with(
                    series,
                    "histograms",
                    with(
                            with(with(message("Histogram"), "positive_spans", span), "positive_deltas", 1L, -1L),
                            "sum",
                            1.5));
        }
    }

    private double value() {
        return SAMPLES[random.nextInt(SAMPLES.length)];
    }

    private long time() {
        return random.nextInt(4) > 0 ? 1_700_000_000_000L + random.nextInt(10) : TIMES[random.nextInt(TIMES.length)];
    }

    private int rarely(int value) {
        return random.nextInt(5) == 0 ? value : 0;
    }

    private long rarely(long value) {
        return random.nextInt(5) == 0 ? value : 0;
    }

    /** Adds, rarely, fields that the receiver does not know: later versions, and groups. */
    private DynamicMessage.Builder extended(DynamicMessage.Builder message) {
        if (random.nextInt(30) == 0) {
            UnknownFieldSet inner = UnknownFieldSet.newBuilder()
                    .addField(1, Field.newBuilder().addFixed32(7).build())
                    .build();
            message.setUnknownFields(UnknownFieldSet.newBuilder()
                    .addField(
                            random.nextBoolean() ? 900 : 1,
                            Field.newBuilder()
                                    .addGroup(inner)
                                    .addVarint(5)
                                    .addFixed64(8)
                                    .build())
                    .build());
        }
        return message;
    }

    /** Encodes a message, rarely with its fields in another sequence, as the format permits. */
    private byte[] shuffled(DynamicMessage message) {
        byte[] bytes = message.toByteArray();
        if (random.nextInt(4) > 0) {
            return bytes;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<byte[]> parts = new ArrayList<>();
        message.getAllFields()
                .forEach((field, value) -> parts.add(DynamicMessage.newBuilder(message.getDescriptorForType())
                        .setField(field, value)
                        .build()
                        .toByteArray()));
        Collections.shuffle(parts, random);
        parts.forEach(out::writeBytes);
        return out.toByteArray();
    }
}
