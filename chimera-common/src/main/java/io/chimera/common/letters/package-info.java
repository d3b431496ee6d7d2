/** Limits of the disk space that dead letters use. */
package io.chimera.common.letters;
