package io.chimera.api.spi;

/** Settings record of a plugin without settings. */
public record NoSettings() {}
