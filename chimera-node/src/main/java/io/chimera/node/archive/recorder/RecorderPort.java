package io.chimera.node.archive.recorder;

import io.chimera.common.channel.Endpoint;
import java.nio.file.Path;

/**
 * HTTP port of a recorder.
 *
 * @param address address of the port
 * @param tokens the token file; null to allow queries without authentication
 */
record RecorderPort(Endpoint address, Path tokens) {}
