/** The command {@code archive record}: writes a volume, and serves it as a node of an archive cluster. */
package io.chimera.node.archive.recorder;
