package io.chimera.node.option;

import io.chimera.common.channel.Endpoint;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts addresses of the form {@code host:port} on the command line. */
public final class EndpointConverter implements ITypeConverter<Endpoint> {
    /** Creates the converter for picocli. */
    public EndpointConverter() {}

    @Override
    public Endpoint convert(String text) {
        try {
            return Endpoint.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
