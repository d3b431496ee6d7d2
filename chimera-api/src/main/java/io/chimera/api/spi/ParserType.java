package io.chimera.api.spi;

/**
 * A protocol of an input. The configuration selects the protocol by name with the key {@code type} of the input. Each
 * class loader has one instance; any thread may call the instance.
 */
public interface ParserType extends Plugin {
    /**
     * Creates a parser for one connection or request at a time.
     *
     * @param context name and settings of the input
     * @return a new object
     */
    Parser create(PluginContext context);
}
