package io.chimera.node.option;

import io.chimera.common.config.binding.ByteSize;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts sizes on the command line; same format as in the configuration. */
public final class ByteSizeConverter implements ITypeConverter<ByteSize> {
    /** Creates the converter for picocli. */
    public ByteSizeConverter() {}

    @Override
    public ByteSize convert(String text) {
        try {
            return ByteSize.parse(text);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
