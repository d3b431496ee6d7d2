/** Duration of an attack investigation with the archive and with stenographer. */
package io.chimera.bench.archive.forensics;
