/** The commands {@code archive} and {@code forensics}. */
package io.chimera.node.archive;
