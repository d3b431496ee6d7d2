package io.chimera.node.option;

import io.chimera.common.config.binding.Durations;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts durations on the command line; same format as in the configuration. */
public final class DurationConverter implements ITypeConverter<Duration> {
    /** Creates the converter for picocli. */
    public DurationConverter() {}

    @Override
    public Duration convert(String text) {
        try {
            return Durations.parse(text);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
