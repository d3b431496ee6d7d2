package io.chimera.apps.forensics;

import io.chimera.apps.archive.Connection;
import java.util.List;

/**
 * What a witness says to a question.
 *
 * @param connections of the packets of IP that matched; others are left out
 * @param packets all that matched
 * @param intervalsRead to find them; 0 where the archive has none
 * @param intervalsSkipped as the index ruled them out; 0 where the archive has none
 */
public record Statement(List<Connection> connections, long packets, long intervalsRead, long intervalsSkipped) {}
