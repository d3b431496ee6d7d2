package io.chimera.queue.parser.remotewrite;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Messages of remote write, described by their public field numbers, for the library of Protocol Buffers. Text is
 * declared as bytes: like the library of Prometheus, the descriptions leave the check of UTF-8 to the receiver.
 */
final class RemoteWriteMessages {
    private static final FileDescriptor FILE = file();

    /** Version 1.0. */
    static final Descriptor WRITE_REQUEST = FILE.findMessageTypeByName("WriteRequest");

    /** Version 2.0. */
    static final Descriptor REQUEST = FILE.findMessageTypeByName("Request");

    private RemoteWriteMessages() {}

    private static FileDescriptor file() {
        DescriptorProto.Builder histogram = type("Histogram")
                .addField(field("count_int", 1, FieldDescriptorProto.Type.TYPE_UINT64))
                .addField(field("count_float", 2, FieldDescriptorProto.Type.TYPE_DOUBLE))
                .addField(field("sum", 3, FieldDescriptorProto.Type.TYPE_DOUBLE))
                .addField(field("schema", 4, FieldDescriptorProto.Type.TYPE_SINT32))
                .addField(field("zero_threshold", 5, FieldDescriptorProto.Type.TYPE_DOUBLE))
                .addField(field("zero_count_int", 6, FieldDescriptorProto.Type.TYPE_UINT64))
                .addField(field("zero_count_float", 7, FieldDescriptorProto.Type.TYPE_DOUBLE))
                .addField(messages("negative_spans", 8, "Span"))
                .addField(repeated("negative_deltas", 9, FieldDescriptorProto.Type.TYPE_SINT64))
                .addField(repeated("negative_counts", 10, FieldDescriptorProto.Type.TYPE_DOUBLE))
                .addField(messages("positive_spans", 11, "Span"))
                .addField(repeated("positive_deltas", 12, FieldDescriptorProto.Type.TYPE_SINT64))
                .addField(repeated("positive_counts", 13, FieldDescriptorProto.Type.TYPE_DOUBLE))
                .addField(field("reset_hint", 14, FieldDescriptorProto.Type.TYPE_INT32))
                .addField(field("timestamp", 15, FieldDescriptorProto.Type.TYPE_INT64))
                .addField(repeated("custom_values", 16, FieldDescriptorProto.Type.TYPE_DOUBLE))
                .addField(field("start_timestamp", 17, FieldDescriptorProto.Type.TYPE_INT64));
        FileDescriptorProto proto = FileDescriptorProto.newBuilder()
                .setName("remote_write.proto")
                .setSyntax("proto3")
                .addMessageType(type("Span")
                        .addField(field("offset", 1, FieldDescriptorProto.Type.TYPE_SINT32))
                        .addField(field("length", 2, FieldDescriptorProto.Type.TYPE_UINT32)))
                .addMessageType(histogram)
                .addMessageType(type("Label")
                        .addField(field("name", 1, FieldDescriptorProto.Type.TYPE_BYTES))
                        .addField(field("value", 2, FieldDescriptorProto.Type.TYPE_BYTES)))
                .addMessageType(type("Sample")
                        .addField(field("value", 1, FieldDescriptorProto.Type.TYPE_DOUBLE))
                        .addField(field("timestamp", 2, FieldDescriptorProto.Type.TYPE_INT64)))
                .addMessageType(type("Exemplar")
                        .addField(messages("labels", 1, "Label"))
                        .addField(field("value", 2, FieldDescriptorProto.Type.TYPE_DOUBLE))
                        .addField(field("timestamp", 3, FieldDescriptorProto.Type.TYPE_INT64)))
                .addMessageType(type("TimeSeries")
                        .addField(messages("labels", 1, "Label"))
                        .addField(messages("samples", 2, "Sample"))
                        .addField(messages("exemplars", 3, "Exemplar"))
                        .addField(messages("histograms", 4, "Histogram")))
                .addMessageType(type("MetricMetadata")
                        .addField(field("type", 1, FieldDescriptorProto.Type.TYPE_INT32))
                        .addField(field("metric_family_name", 2, FieldDescriptorProto.Type.TYPE_BYTES))
                        .addField(field("help", 4, FieldDescriptorProto.Type.TYPE_BYTES))
                        .addField(field("unit", 5, FieldDescriptorProto.Type.TYPE_BYTES)))
                .addMessageType(type("WriteRequest")
                        .addField(messages("timeseries", 1, "TimeSeries"))
                        .addField(messages("metadata", 3, "MetricMetadata")))
                .addMessageType(type("Sample2")
                        .addField(field("value", 1, FieldDescriptorProto.Type.TYPE_DOUBLE))
                        .addField(field("timestamp", 2, FieldDescriptorProto.Type.TYPE_INT64))
                        .addField(field("start_timestamp", 3, FieldDescriptorProto.Type.TYPE_INT64)))
                .addMessageType(type("Exemplar2")
                        .addField(repeated("labels_refs", 1, FieldDescriptorProto.Type.TYPE_UINT32))
                        .addField(field("value", 2, FieldDescriptorProto.Type.TYPE_DOUBLE))
                        .addField(field("timestamp", 3, FieldDescriptorProto.Type.TYPE_INT64)))
                .addMessageType(type("Metadata2")
                        .addField(field("type", 1, FieldDescriptorProto.Type.TYPE_INT32))
                        .addField(field("help_ref", 3, FieldDescriptorProto.Type.TYPE_UINT32))
                        .addField(field("unit_ref", 4, FieldDescriptorProto.Type.TYPE_UINT32)))
                .addMessageType(type("TimeSeries2")
                        .addField(repeated("labels_refs", 1, FieldDescriptorProto.Type.TYPE_UINT32))
                        .addField(messages("samples", 2, "Sample2"))
                        .addField(messages("histograms", 3, "Histogram"))
                        .addField(messages("exemplars", 4, "Exemplar2"))
                        .addField(messages("metadata", 5, "Metadata2")
                                .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL))
                        .addField(field("created_timestamp", 6, FieldDescriptorProto.Type.TYPE_INT64)))
                .addMessageType(type("Request")
                        .addField(repeated("symbols", 4, FieldDescriptorProto.Type.TYPE_BYTES))
                        .addField(messages("timeseries", 5, "TimeSeries2")))
                .build();
        try {
            return FileDescriptor.buildFrom(proto, new FileDescriptor[0]);
        } catch (DescriptorValidationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static DescriptorProto.Builder type(String name) {
        return DescriptorProto.newBuilder().setName(name);
    }

    private static FieldDescriptorProto.Builder field(String name, int number, FieldDescriptorProto.Type type) {
        return FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setType(type)
                .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL);
    }

    private static FieldDescriptorProto.Builder repeated(String name, int number, FieldDescriptorProto.Type type) {
        return field(name, number, type).setLabel(FieldDescriptorProto.Label.LABEL_REPEATED);
    }

    private static FieldDescriptorProto.Builder messages(String name, int number, String type) {
        return repeated(name, number, FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(type);
    }

    /** Begins a message of a type. */
    static DynamicMessage.Builder message(String type) {
        return DynamicMessage.newBuilder(FILE.findMessageTypeByName(type));
    }

    /** Returns a field of a message. */
    static Object get(DynamicMessage message, String field) {
        return message.getField(fieldOf(message.getDescriptorForType(), field));
    }

    /** Returns the messages of a repeated field. */
    @SuppressWarnings("unchecked")
    static <T> List<T> all(DynamicMessage message, String field) {
        return (List<T>) get(message, field);
    }

    private static FieldDescriptor fieldOf(Descriptor descriptor, String field) {
        FieldDescriptor found = descriptor.findFieldByName(field);
        if (found == null) {
            throw new IllegalArgumentException(field);
        }
        return found;
    }

    /** Sets a field, or adds elements to a repeated field. */
    static DynamicMessage.Builder with(DynamicMessage.Builder message, String field, Object... values) {
        FieldDescriptor descriptor = fieldOf(message.getDescriptorForType(), field);
        for (Object value : values) {
            Object given = value instanceof DynamicMessage.Builder builder
                    ? builder.build()
                    : value instanceof String text ? ByteString.copyFrom(text, StandardCharsets.UTF_8) : value;
            if (descriptor.isRepeated()) {
                message.addRepeatedField(descriptor, given);
            } else {
                message.setField(descriptor, given);
            }
        }
        return message;
    }

    /** Begins a series of version 1.0: names and values of its labels in turn. */
    static DynamicMessage.Builder series(String... labels) {
        DynamicMessage.Builder series = message("TimeSeries");
        for (int i = 0; i < labels.length; i += 2) {
            with(series, "labels", with(with(message("Label"), "name", labels[i]), "value", labels[i + 1]));
        }
        return series;
    }

    /** Begins a series of version 2.0. */
    static DynamicMessage.Builder series2(int... references) {
        DynamicMessage.Builder series = message("TimeSeries2");
        for (int reference : references) {
            with(series, "labels_refs", reference);
        }
        return series;
    }

    /** Makes a sample of version 1.0. */
    static DynamicMessage.Builder sample(double value, long timeMs) {
        return with(with(message("Sample"), "value", value), "timestamp", timeMs);
    }

    /** Makes a sample of version 2.0. */
    static DynamicMessage.Builder sample2(double value, long timeMs, long startMs) {
        return with(with(with(message("Sample2"), "value", value), "timestamp", timeMs), "start_timestamp", startMs);
    }
}
