/** The text of dead letters, and the limit of their disk space. */
package io.chimera.common.letters;
