/** The command {@code archive}. */
package io.chimera.apps.node.archive;
