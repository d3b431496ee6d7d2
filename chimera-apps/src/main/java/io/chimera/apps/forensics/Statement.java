package io.chimera.apps.forensics;

import java.util.List;

/**
 * What a witness says to a question.
 *
 * @param seen packets of IP, in the order of arrival; others are left out
 * @param packets all that matched
 * @param intervalsRead to find them; 0 where the archive has none
 * @param intervalsSkipped as the index ruled them out; 0 where the archive has none
 */
public record Statement(List<Seen> seen, long packets, long intervalsRead, long intervalsSkipped) {}
