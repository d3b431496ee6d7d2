package io.chimera.apps.forensics;

import io.chimera.apps.archive.Volume;

/**
 * An archive that can be asked.
 *
 * @param name of its monitor
 * @param volume what it recorded
 */
public record Witness(String name, Volume volume) {}
