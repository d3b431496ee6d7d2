/** The commands {@code archive} and {@code forensics}. */
package io.chimera.apps.node.archive;
