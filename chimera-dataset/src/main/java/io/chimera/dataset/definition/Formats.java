package io.chimera.dataset.definition;

import io.chimera.api.model.FieldType;
import io.chimera.api.spi.Parser;
import io.chimera.dataset.format.EventFormat;
import io.chimera.dataset.format.codec.CodecLimits;
import io.chimera.dataset.format.codec.Compression;
import io.chimera.dataset.format.packet.PacketFormat;
import io.chimera.dataset.format.parquet.ParquetColumn;
import io.chimera.dataset.format.parquet.ParquetFormat;
import io.chimera.dataset.format.parquet.ParquetMapping;
import io.chimera.dataset.format.parquet.ReaderSlots;
import io.chimera.dataset.format.text.CsvOptions;
import io.chimera.dataset.format.text.FieldColumn;
import io.chimera.dataset.format.text.MetricName;
import io.chimera.dataset.format.text.RowMapping;
import io.chimera.dataset.format.text.TagColumn;
import io.chimera.dataset.format.text.TextFormat;
import io.chimera.dataset.format.text.TextOptions;
import io.chimera.dataset.format.text.TimeColumn;
import io.chimera.dataset.format.text.TimeFormat;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Creates the format of a job. */
public final class Formats {
    private static final String CSV = "csv";
    private static final String JSON_LINES = "json_lines";
    private static final String PARQUET = "parquet";
    private static final String PCAP = "pcap";
    private static final String PCAPNG = "pcapng";

    private Formats() {}

    /**
     * Creates a format.
     *
     * @param config the format
     * @param parsers makes the parsers of a type of lines by name; empty for an unknown name
     * @throws IllegalArgumentException when the format is unknown, or lacks its mapping
     */
    public static EventFormat of(FormatConfig config, Function<String, Optional<Supplier<Parser>>> parsers) {
        TextOptions options =
                new TextOptions(compression(config), CodecLimits.DEFAULT, TextOptions.DEFAULT.lineBytesMax(), false);
        return switch (config.type()) {
            case CSV -> TextFormat.csv(options, CsvOptions.DEFAULT, rows(mapping(config)));
            case JSON_LINES -> TextFormat.jsonLines(options, rows(mapping(config)));
            case PCAP, PCAPNG -> new PacketFormat(packets(mapping(config)), compression(config), CodecLimits.DEFAULT);
            case PARQUET ->
                new ParquetFormat(
                        parquet(mapping(config)),
                        ReaderSlots.within(Runtime.getRuntime().maxMemory() / 2));
            default ->
                TextFormat.lines(
                        options,
                        parsers.apply(config.type())
                                .orElseThrow(() -> new IllegalArgumentException("format.type is " + config.type()
                                        + "; expected influx, csv, json_lines, parquet, pcap, pcapng, or an installed"
                                        + " parser")),
                        config.precision().unitNs());
        };
    }

    private static @Nullable Compression compression(FormatConfig config) {
        return switch (config.compression()) {
            case AUTO -> null;
            case PLAIN -> Compression.PLAIN;
            case GZIP -> Compression.GZIP;
            case ZSTD -> Compression.ZSTD;
            case LZ4 -> Compression.LZ4;
        };
    }

    private static MappingConfig mapping(FormatConfig config) {
        if (config.mapping() == null) {
            throw new IllegalArgumentException(
                    "format.mapping is not given; format " + config.type() + " needs the columns of the points");
        }
        return config.mapping();
    }

    /** Checks that the time is the one of the packets: a later conversion would lose its unit. */
    private static RowMapping packets(MappingConfig mapping) {
        if (!mapping.time().equals("time")
                || !(mapping.timeFormat().isEmpty() || mapping.timeFormat().equals("ns"))) {
            throw new IllegalArgumentException("format.mapping.time is " + mapping.time() + " with time_format "
                    + mapping.timeFormat() + "; expected time: time without time_format for packets");
        }
        return rows(mapping);
    }

    private static RowMapping rows(MappingConfig mapping) {
        String timeFormat = mapping.timeFormat().isEmpty() ? "ns" : mapping.timeFormat();
        return new RowMapping(
                mapping.metric().isEmpty()
                        ? MetricName.column(mapping.metricColumn())
                        : MetricName.constant(mapping.metric()),
                new TimeColumn(mapping.time(), TimeFormat.of(timeFormat, ZoneOffset.UTC)),
                mapping.tags().entrySet().stream()
                        .map(tag -> new TagColumn(tag.getKey(), tag.getValue()))
                        .toList(),
                mapping.fields().entrySet().stream()
                        .map(field -> new FieldColumn(
                                field.getKey(),
                                field.getValue().column(),
                                type(field.getValue().type())))
                        .toList());
    }

    private static FieldType type(MappingConfig.Type type) {
        return switch (type) {
            case DOUBLE -> FieldType.DOUBLE;
            case LONG -> FieldType.LONG;
            case BOOLEAN -> FieldType.BOOLEAN;
            case TEXT -> FieldType.TEXT;
        };
    }

    private static ParquetMapping parquet(MappingConfig mapping) {
        return new ParquetMapping(
                mapping.metric().isEmpty() ? null : mapping.metric(),
                mapping.metric().isEmpty() ? mapping.metricColumn() : null,
                mapping.time(),
                unit(mapping.timeFormat()),
                mapping.tags().entrySet().stream()
                        .map(tag -> new ParquetColumn(tag.getKey(), tag.getValue()))
                        .toList(),
                mapping.fields().entrySet().stream()
                        .map(field -> new ParquetColumn(
                                field.getKey(), field.getValue().column()))
                        .toList());
    }

    private static @Nullable TimeUnit unit(String format) {
        return switch (format) {
            case "" -> null;
            case "ns" -> TimeUnit.NANOSECONDS;
            case "us" -> TimeUnit.MICROSECONDS;
            case "ms" -> TimeUnit.MILLISECONDS;
            case "s" -> TimeUnit.SECONDS;
            default ->
                throw new IllegalArgumentException(
                        "format.mapping.time_format is " + format + "; expected ns, us, ms or s for parquet");
        };
    }
}
