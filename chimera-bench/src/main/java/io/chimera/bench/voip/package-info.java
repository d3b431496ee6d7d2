/** The command {@code chimera bench voip}: VoIPSTREAM compared with Storm with the same filters. */
package io.chimera.bench.voip;
