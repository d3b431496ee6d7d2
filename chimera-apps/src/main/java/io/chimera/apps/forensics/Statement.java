package io.chimera.apps.forensics;

import io.chimera.archive.server.answer.ConnectionDirection;
import java.util.List;

/**
 * Answer of a witness to a question.
 *
 * @param connections connections of the matching IP packets; packets without IP are omitted
 * @param packets number of all matching packets
 * @param intervalsRead number of intervals read; 0 if the archive has none
 * @param intervalsSkipped number of intervals skipped by the index; 0 if the archive has none
 */
public record Statement(
        List<ConnectionDirection> connections, long packets, long intervalsRead, long intervalsSkipped) {}
