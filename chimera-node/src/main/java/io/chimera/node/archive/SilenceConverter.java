package io.chimera.node.archive;

import io.chimera.node.option.DurationConverter;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts timeouts on the command line. */
final class SilenceConverter implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
        Duration silence = new DurationConverter().convert(text);
        if (silence.isNegative() || silence.isZero() || silence.toDays() > 1) {
            throw new TypeConversionException("expected a time up to a day, such as 30s, not '" + text + "'");
        }
        return silence;
    }
}
