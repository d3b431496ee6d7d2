/** How long it takes to find out who was behind an attack, with our archive and with stenographer. */
package io.chimera.bench.archive.forensics;
