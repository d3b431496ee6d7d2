/** Limits the disk space of dead letters. */
package io.chimera.common.letters;
