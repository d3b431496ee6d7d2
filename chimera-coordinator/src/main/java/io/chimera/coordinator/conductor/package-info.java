/**
 * The conductor of a cluster and its terms: begins cycles on schedule, verifies committed cycles, moves work, and
 * requests replays. Each rule performs at most one write per turn.
 */
@NullMarked
package io.chimera.coordinator.conductor;

import org.jspecify.annotations.NullMarked;
