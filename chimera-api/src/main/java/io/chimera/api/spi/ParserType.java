package io.chimera.api.spi;

/** A protocol that an input may speak, chosen by its name as {@code type} of the input. One instance per class loader; any thread. */
public interface ParserType extends Plugin {
    /**
     * A parser for one connection or request at a time.
     *
     * @param context the input's name and settings
     * @return a new object
     */
    Parser create(PluginContext context);
}
