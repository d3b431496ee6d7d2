package io.chimera.apps.node.archive;

import io.chimera.common.channel.Endpoint;
import java.nio.file.Path;

/**
 * The HTTP port of a recorder.
 *
 * @param address where it listens
 * @param tokens the token file; null: everybody who reaches the port may ask
 */
record RecorderPort(Endpoint address, Path tokens) {}
