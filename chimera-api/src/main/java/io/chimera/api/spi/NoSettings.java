package io.chimera.api.spi;

/** The settings of a plugin that has none. */
public record NoSettings() {}
