/** The command {@code chimera bench voip}: VoIPSTREAM beside Storm with the same filters. */
package io.chimera.bench.voip;
